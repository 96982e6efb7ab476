// The list from which a track is played. The player saves the list in the browser and validates it when it is loaded.
import * as z from 'zod/mini'

const artistSeed = z
  .object({
    kind: z.literal('artist'),
    id: z
      .optional(z.string().check(z.minLength(1), z.maxLength(80)))
      .check(z.describe('An id or slug. Former slugs are accepted.')),
    name: z
      .optional(z.string().check(z.minLength(1), z.maxLength(300)))
      .check(z.describe('Instead of the id, the text that tracks show as `artist`.')),
  })
  .check(
    z.refine(({ id, name }) => (id === undefined) !== (name === undefined), {
      error: 'Send either id or name',
    }),
  )

/** The artist, track or other item from which a radio is generated. */
export const radioSeed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('track'), id: z.uuid() }),
  z.object({ kind: z.literal('playlist'), id: z.uuid() }),
  z.object({ kind: z.literal('likes') }),
  artistSeed,
  /** By id or slug. Former slugs are accepted. */
  z.object({
    kind: z.literal('release'),
    id: z.string().check(z.minLength(1), z.maxLength(100)),
  }),
])
export type RadioSeed = z.infer<typeof radioSeed>

export const playContext = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('playlist'), id: z.uuid() }),
  z.object({ kind: z.literal('release'), id: z.uuid() }),
  z.object({ kind: z.literal('artist'), id: z.uuid() }),
  z.object({ kind: z.literal('radio'), seed: radioSeed }),
  z.object({ kind: z.literal('likes') }),
])
export type PlayContext = z.infer<typeof playContext>
