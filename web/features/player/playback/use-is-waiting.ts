import { useEffect, useState } from 'react'
import { usePlayer } from './player-store.ts'

/** Shorter waits go unnoticed. */
const delayMs = 400

/** True while playback is buffering or retrying for a noticeable time. */
export function useIsWaiting(): boolean {
  const isWaiting = usePlayer(
    (state) => state.playing && (state.isBuffering || state.problem?.kind === 'retrying'),
  )
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setIsLong(true), delayMs)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [isWaiting])
  return isWaiting && isLong
}
