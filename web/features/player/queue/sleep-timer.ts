// The state of the sleep timer and its fade, as pure functions.

/** Choices in minutes. */
export const sleepChoicesMinutes = [5, 10, 15, 30, 45, 60] as const
/** The sound fades out over the last seconds. */
export const sleepFadeSeconds = 20

export type SleepTimer =
  | { kind: 'off' }
  | { kind: 'at'; minutes: number; ends_at_ms: number }
  | { kind: 'end-of-track' }

export function sleepIn(minutes: number, nowMs: number): SleepTimer {
  return { kind: 'at', minutes, ends_at_ms: nowMs + minutes * 60_000 }
}

/** Seconds left; null when no time is set. Never more than the chosen minutes, even if the clock is set back. */
export function sleepSecondsLeft(timer: SleepTimer, nowMs: number): number | null {
  if (timer.kind !== 'at') return null
  return Math.min(Math.max(0, (timer.ends_at_ms - nowMs) / 1000), timer.minutes * 60)
}

/** Returns the current amplitude factor: 1 until the last seconds, then down to 0. */
export function sleepFade(timer: SleepTimer, nowMs: number): number {
  const left = sleepSecondsLeft(timer, nowMs)
  return left === null ? 1 : Math.min(1, left / sleepFadeSeconds)
}
