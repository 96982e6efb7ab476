// Formats durations.

/** Minutes and seconds, seconds in two digits: `3:07`, `72:40`. */
export function formatDuration(durationSeconds: number): string {
  const whole = Math.max(0, Math.round(durationSeconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Formats the total length of a list: `54 sec`, `23 min`, `2 h 5 min`, `31 h`. */
export function formatTotal(durationSeconds: number): string {
  if (durationSeconds < 60) return `${Math.round(durationSeconds)} sec`
  const minutes = Math.round(durationSeconds / 60)
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${minutes} min`
  // Minutes are omitted for a day or more.
  return rest === 0 || hours >= 24 ? `${hours.toLocaleString('en')} h` : `${hours} h ${rest} min`
}

/** Formats a count with its noun: `1 track`, `2 tracks`, `20,000 tracks`. */
export function formatCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
