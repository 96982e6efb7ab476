// Artist credits of a track: who contributed in which role, in order.
import * as z from 'zod/mini'
import { cleanName } from './clean-name.ts'

export const creditRoles = [
  'main',
  'featured',
  'remixer',
  'composer',
  'lyricist',
  'producer',
  'performer',
  'prompter',
] as const
export type CreditRole = (typeof creditRoles)[number]

/** The roles whose names form a track's artist line. */
export const lineRoles: readonly CreditRole[] = ['main', 'featured']

export const creditRoleLabels: Record<CreditRole, string> = {
  main: 'Main artist',
  featured: 'Featured artist',
  remixer: 'Remixer',
  composer: 'Composer',
  lyricist: 'Lyricist',
  producer: 'Producer',
  performer: 'Performer',
  prompter: 'Prompter',
}

export const artistMaxLength = 200
export const maxCredits = 50

export const artistName = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(1, 'Artist name is required'),
    z.maxLength(artistMaxLength),
  )

/** A credit of a track. The artist line consists of the names and joiners of main and featured artists. */
export const trackArtist = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  role: z.enum(creditRoles).check(z.describe('What the artist contributed to the track.')),
  credited_as: z
    .nullable(z.string())
    .check(z.describe("The name credited on this track, if it differs from the artist's name.")),
  joiner: z
    .string()
    .check(z.describe('The text between this name and the next one in the artist line.')),
})
export type TrackArtist = z.infer<typeof trackArtist>

const creditFields = {
  role: z.enum(creditRoles).check(z.describe('What the artist contributed to the track.')),
  credited_as: z.optional(z.nullable(artistName)),
  joiner: z
    .optional(z.string().check(z.maxLength(20)))
    .check(
      z.describe('Defaults to ` feat. ` before the first featured artist, otherwise to `, `.'),
    ),
}

/** An artist by id or by name. If no artist has the name, a new artist is created. */
export const creditInput = z.union([
  z.object({ artist_id: z.uuid(), ...creditFields }),
  z.object({ name: artistName, ...creditFields }),
])
export type CreditInput = z.infer<typeof creditInput>

export const creditInputs = z.array(creditInput).check(
  z.minLength(1),
  z.maxLength(maxCredits),
  z.refine((credits) => credits.some(({ role }) => role === 'main'), 'A track needs a main artist'),
)

export const artistLink = z.object({ label: z.string(), url: z.string() })
export type ArtistLink = z.infer<typeof artistLink>

interface LineCredit {
  readonly name: string
  readonly role: CreditRole
  readonly credited_as?: string | null | undefined
  readonly joiner?: string | undefined
}

/** The default joiner after a credit. */
export function getDefaultJoiner(role: CreditRole, next: CreditRole): string {
  return role === 'main' && next === 'featured' ? ' feat. ' : ', '
}

/** Joins the credits to the artist line, such as `Ada feat. Lin & Bo`. The database builds the same line. */
export function artistLine(credits: readonly LineCredit[]): string {
  const shown = credits.filter(({ role }) => lineRoles.includes(role))
  return shown
    .map(({ name, role, credited_as, joiner }, index) => {
      const next = shown[index + 1]
      return (credited_as ?? name) + (next ? joiner || getDefaultJoiner(role, next.role) : '')
    })
    .join('')
}
