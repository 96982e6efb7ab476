// Fades the sound out and stops it when the sleep timer ends.
import { pause, setSleepTimer } from './player-actions.ts'
import { usePlayer } from './player-store.ts'
import { sleepFade, sleepSecondsLeft } from '../queue/sleep-timer.ts'

const stepMs = 250

/** @param setFade receives the timer's current amplitude factor */
export function runSleepClock(setFade: (fade: number) => void): () => void {
  let interval: ReturnType<typeof setInterval> | undefined

  function restartTimer() {
    const { sleep } = usePlayer.getState()
    clearInterval(interval)
    setFade(1)
    if (sleep.kind === 'at') interval = setInterval(step, stepMs)
  }

  function step() {
    const { sleep } = usePlayer.getState()
    const now = Date.now()
    setFade(sleepFade(sleep, now))
    if (sleepSecondsLeft(sleep, now) !== 0) return
    pause()
    setSleepTimer({ kind: 'off' })
  }

  restartTimer()
  const unsubscribe = usePlayer.subscribe((state, before) => {
    if (state.sleep !== before.sleep) restartTimer()
  })
  return () => {
    clearInterval(interval)
    unsubscribe()
  }
}
