// Says who can hear something that is in early access, or for Premium only.
import { type Restriction, restrictionOf } from '#contract/fields/availability.ts'

type Marks = Parameters<typeof restrictionOf>[0]

const dayOptions = { weekday: 'short', day: 'numeric', month: 'short' } as const
const day = new Intl.DateTimeFormat('en', dayOptions)
const dayWithYear = new Intl.DateTimeFormat('en', { ...dayOptions, year: 'numeric' })

/** By this device's clock; the server decides by its own. */
export function restrictionNow(marks: Marks): Restriction | null {
  return restrictionOf(marks, Date.now())
}

/** 'Premium until Fri, Dec 4', in the user's time zone, or 'Premium only'. */
export function restrictionMark(restriction: Restriction): string {
  if (restriction.reason === 'premium_only') return 'Premium only'
  return `Premium until ${formatEnd(restriction.until)}`
}

/** A sentence for people without Premium. */
export function restrictionSentence(restriction: Restriction): string {
  if (restriction.reason === 'premium_only') return 'This is for Premium members only.'
  return `Early access for Premium: for everyone from ${formatEnd(restriction.until)}.`
}

function formatEnd(until: string): string {
  const end = new Date(until)
  return (end.getFullYear() === new Date().getFullYear() ? day : dayWithYear).format(end)
}
