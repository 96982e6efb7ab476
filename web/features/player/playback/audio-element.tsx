// The two media elements that produce all sound. They are in the document while a user is signed in, so that the
// browser's own media tools and controls find them.
import { useEffect, useEffectEvent, useRef } from 'react'
import { connectPlayer } from './connect-player.ts'
import type { RecoveryNeeds } from './playback-recovery.ts'

export function AudioElement(needs: Omit<RecoveryNeeds, 'reload'>) {
  const host = useRef<HTMLDivElement>(null)
  const refreshListener = useEffectEvent(needs.refreshListener)
  const confirmPlace = useEffectEvent(needs.confirmPlace)

  useEffect(() => {
    const elements = [new Audio(), new Audio()] as const
    host.current?.append(...elements)
    const disconnect = connectPlayer(elements, {
      refreshListener: () => refreshListener(),
      confirmPlace: () => confirmPlace(),
    })
    return () => {
      disconnect()
      for (const element of elements) element.remove()
    }
  }, [])

  return <div ref={host} hidden />
}
