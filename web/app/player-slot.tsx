// Mounts the player in the shell. Loads its code only for signed-in users. Publishes its height as a CSS property, so
// that toasts stay above it.
import { Suspense, lazy, useEffect, useRef } from 'react'
import styles from './shell.module.css'
import { useSession } from '../base/session/session.ts'

const LikingPlayerBar = lazy(async () => ({
  default: (await import('./liking-player-bar.tsx')).LikingPlayerBar,
}))

export function PlayerSlot() {
  const session = useSession()
  const slot = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = slot.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty('--player-height', `${element.offsetHeight}px`)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <div ref={slot} className={styles.player}>
      {session.status === 'signed-in' && (
        <Suspense>
          <LikingPlayerBar />
        </Suspense>
      )}
    </div>
  )
}
