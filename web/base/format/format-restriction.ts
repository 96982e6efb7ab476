// Labels for early-access and Premium-only items: who can listen now, and from when others can.
import { grantsAccess } from '#contract/access.ts'
import { getRestriction, type Restriction } from '#contract/fields/availability.ts'

type Marks = Parameters<typeof getRestriction>[0]

const dayOptions = { weekday: 'short', day: 'numeric', month: 'short' } as const
const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false })
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' })
const day = new Intl.DateTimeFormat('en', dayOptions)
const dayWithYear = new Intl.DateTimeFormat('en', { ...dayOptions, year: 'numeric' })

/** Returns the restriction by this device's clock. The server decides by its own clock. */
export function restrictionNow(marks: Marks): Restriction | null {
  return getRestriction(marks, Date.now())
}

/** Returns whether this user can listen to a restricted item. Only for display: the server enforces the restriction. */
export function canHearRestricted(
  person: { is_premium: boolean; role: string } | undefined,
): boolean {
  return person !== undefined && (person.is_premium || grantsAccess(person.role, 'editor'))
}

/**
 * Returns 'Premium only', 'Early access', or for users without Premium 'For everyone from Friday'. `lead` is the part
 * of the text that narrow places omit.
 */
export function restrictionMark(
  restriction: Restriction,
  isHeard: boolean,
): { lead: string; words: string } {
  if (restriction.reason === 'premium_only') return { lead: '', words: 'Premium only' }
  if (isHeard) return { lead: '', words: 'Early access' }
  return { lead: 'For everyone ', words: `from ${formatMoment(restriction.until)}` }
}

/** Returns the text for users without Premium. */
export function getRestrictionText(restriction: Restriction): string {
  if (restriction.reason === 'premium_only') return 'This is for Premium members only.'
  return `Early access for Premium: for everyone from ${formatMoment(restriction.until)}.`
}

/** Returns the text for users who can already listen. */
export function getEarlyAccessText(restriction: Restriction): string {
  if (restriction.reason === 'premium_only') return 'Part of your Premium.'
  return `Early access: for everyone from ${formatMoment(restriction.until)}.`
}

/** Formats a moment as 'today, 18:00', 'tomorrow', 'Friday' or 'Fri, Dec 11', in the user's time zone. */
function formatMoment(until: string): string {
  const end = new Date(until)
  const now = new Date()
  const days = daysBetween(now, end)
  if (days <= 0) return `today, ${time.format(end)}`
  if (days === 1) return 'tomorrow'
  if (days < 7) return weekday.format(end)
  return (end.getFullYear() === now.getFullYear() ? day : dayWithYear).format(end)
}

/** Number of midnights between two moments. Rounded, because a day with a clock change has 23 or 25 hours. */
function daysBetween(from: Date, to: Date): number {
  const [first, last] = [new Date(from), new Date(to)]
  return Math.round((last.setHours(0, 0, 0, 0) - first.setHours(0, 0, 0, 0)) / (24 * 3600_000))
}
