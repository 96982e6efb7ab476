// The two media elements that all sound comes from. They are in the page, where the browser's own tools
// and controls find them, as long as somebody is signed in.
import { useEffect, useEffectEvent, useRef } from 'react'
import { connectPlayer } from './connect-player.ts'
import type { Listener } from './player-store.ts'

export function AudioElement({
  refreshListener,
}: {
  /** Asks the server anew who listens. */
  refreshListener: () => Promise<Listener | null>
}) {
  const host = useRef<HTMLDivElement>(null)
  const refresh = useEffectEvent(refreshListener)

  useEffect(() => {
    const elements = [new Audio(), new Audio()] as const
    host.current?.append(...elements)
    const disconnect = connectPlayer(elements, () => refresh())
    return () => {
      disconnect()
      for (const element of elements) element.remove()
    }
  }, [])

  return <div ref={host} hidden />
}
