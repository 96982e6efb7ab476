// Credits of the track form. Artist text and credits stay in sync: typed text becomes one main artist, and changed
// credits rebuild the text.
import {
  artistLine,
  getDefaultJoiner,
  lineRoles,
  type CreditInput,
  type CreditRole,
  type TrackArtist,
} from '#contract/fields/artist-credits.ts'
import { isSame } from '../conflicts/merge-forms.ts'

export interface CreditForm {
  name: string
  role: CreditRole
  /** Empty to use the artist's name. */
  credited_as: string
  /** Empty to use the default joiner of the roles. */
  joiner: string
}

interface ArtistFields {
  artist: string
  artists?: CreditForm[]
}

const isInArtistLine = ({ role }: { role: CreditRole }) => lineRoles.includes(role)

/** Leaves default joiners empty, so that they adapt when a role changes. */
export function toCreditForms(artists: readonly TrackArtist[]): CreditForm[] {
  return artists.map(({ name, role, credited_as, joiner }, index) => {
    const next = artists.slice(index + 1).find(isInArtistLine)
    const isUsual = !next || joiner === getDefaultJoiner(role, next.role)
    return { name, role, credited_as: credited_as ?? '', joiner: isUsual ? '' : joiner }
  })
}

export function createCreditsFromText(
  artist: string,
  before: readonly CreditForm[] = [],
): CreditForm[] {
  const others = before.filter((credit) => !isInArtistLine(credit))
  return [{ name: artist, role: 'main', credited_as: '', joiner: '' }, ...others]
}

/** Replaces the artists of the artist line with the typed text. */
export function withArtist(form: ArtistFields, artist: string): ArtistFields {
  return { artist, artists: createCreditsFromText(artist, form.artists) }
}

export function withCredits(artists: CreditForm[]): ArtistFields {
  return { artist: toArtistText(artists), artists }
}

export function toArtistText(credits: readonly CreditForm[]): string {
  return artistLine(
    credits
      .filter(({ name }) => name.trim() !== '')
      .map((credit) => ({
        ...credit,
        credited_as: credit.credited_as.trim() || null,
        joiner: addSpaces(credit.joiner),
      })),
  )
}

/** Returns the credits to send. Empty if nothing changed, or if the server derives the same credits from the text. */
export function getChangedCredits(
  { artist, artists = [] }: ArtistFields,
  base: ArtistFields,
): { artists?: CreditInput[] } {
  const given = artists.filter(({ name }) => name.trim() !== '')
  const isTextAlone = isSame(given, createCreditsFromText(artist, base.artists))
  if (given.length === 0 || isSame(artists, base.artists) || isTextAlone) return {}
  return {
    artists: given.map(({ name, role, credited_as, joiner }) => ({
      name: name.trim(),
      role,
      credited_as: credited_as.trim() || null,
      joiner: addSpaces(joiner),
    })),
  }
}

/** Adds spaces around a typed joiner: `&` becomes ` & `. */
function addSpaces(typed: string): string {
  const trimmed = typed.trim()
  if (trimmed === '' || trimmed !== typed) return trimmed && typed
  return /^[,;:.]/.test(trimmed) ? `${trimmed} ` : ` ${trimmed} `
}
