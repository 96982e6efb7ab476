// Credits of a track: who had which part in it, in order.
import * as z from 'zod/mini'

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

/** The roles whose names make the artist line of a track. */
export const lineRoles: readonly CreditRole[] = ['main', 'featured']

export const artistLink = z.object({ label: z.string(), url: z.string() })
export type ArtistLink = z.infer<typeof artistLink>
