// Credits in the form of a track. The artist text and the credits are kept in sync: typing a text replaces the credits
// by one main artist, and changing credits rebuilds the text.
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
  /** The artist's name on this track. Empty to use their usual name. */
  credited_as: string
  /** Text between this artist and the next. Empty to use the default for their roles, such as a comma. */
  joiner: string
}

interface ArtistFields {
  artist: string
  artists?: CreditForm[]
}

const isInArtistLine = ({ role }: { role: CreditRole }) => lineRoles.includes(role)

/** Converts saved credits to form fields. A default joiner becomes empty, so that it adapts when a role changes. */
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

/** Replaces the artists of the artist line by the typed text. */
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

/**
 * Returns the credits for the request. Empty if they did not change, or if the server would derive the same ones from
 * the artist text.
 */
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

/** Puts spaces around a typed joiner: `&` becomes ` & `. */
function addSpaces(typed: string): string {
  const trimmed = typed.trim()
  if (trimmed === '' || trimmed !== typed) return trimmed && typed
  return /^[,;:.]/.test(trimmed) ? `${trimmed} ` : ` ${trimmed} `
}
