// Converts between an instant and the local time of a time zone. When clocks change, some local times don't exist and
// others occur twice.

const dayMs = 24 * 3600_000

/** `resolved` is `skipped` if clocks go forward over this local time, and `repeated` if they go back over it. */
export interface ZonedInstant {
  at: Date
  resolved: 'exact' | 'skipped' | 'repeated'
}

/**
 * Whether the runtime knows a time zone of this name, such as `Europe/Berlin`. Offsets such as `+02:00` are not names.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/**
 * Returns the instant of a local time such as `2026-11-27T18:00`. A skipped time is moved forward by the length of the
 * gap. A repeated time resolves to its first occurrence.
 */
export function toInstant(local: string, zone: string): ZonedInstant {
  return resolve(Date.parse(`${local}Z`), zone)
}

/** The local time of an instant, to the minute: `2026-11-27T18:00`. */
export function toLocalTime(at: Date, zone: string): string {
  return new Date(wallClock(at.getTime(), zone)).toISOString().slice(0, 16)
}

/** The same local time `days` later, even if clocks change in between. `days` may be negative. */
export function addDaysIn(at: Date, days: number, zone: string): Date {
  return resolve(wallClock(at.getTime(), zone) + days * dayMs, zone).at
}

/** `wall` is a local time in milliseconds, as if the zone were UTC. */
function resolve(wall: number, zone: string): ZonedInstant {
  // Two results are enough: no zone changes its clocks twice within two days.
  const [before, after] = [wall - dayMs, wall + dayMs].map((at) => wallClock(at, zone) - at)
  const found = [...new Set([wall - before!, wall - after!])]
    .filter((at) => wallClock(at, zone) === wall)
    .toSorted((a, b) => a - b)
  if (found[0] === undefined) return { at: new Date(wall - before!), resolved: 'skipped' }
  return { at: new Date(found[0]), resolved: found.length > 1 ? 'repeated' : 'exact' }
}

function wallClock(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const get = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  const seconds = Date.UTC(
    get('year'),
    get('month') - 1,
    get('day'),
    get('hour'),
    get('minute'),
    get('second'),
  )
  return seconds + (((at % 1000) + 1000) % 1000)
}
