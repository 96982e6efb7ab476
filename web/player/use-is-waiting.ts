import { useEffect, useState } from 'react'
import { usePlayer } from './player-store.ts'

/** Shorter waits are over before anybody wonders. */
const patienceMs = 400

/** True while the listener waits for sound, and has waited long enough to be told. */
export function useIsWaiting(): boolean {
  const isWaiting = usePlayer(
    (state) => state.playing && (state.isBuffering || state.problem?.kind === 'retrying'),
  )
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setIsLong(true), patienceMs)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [isWaiting])
  return isWaiting && isLong
}
