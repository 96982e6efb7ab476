// How the parts of a recording were made, in the private record of its origin.
import * as z from 'zod/mini'

export const originParts = ['lyrics', 'music', 'vocals', 'artwork'] as const
export type OriginPart = (typeof originParts)[number]

export const originMakings = ['human', 'assisted', 'generated'] as const
export type OriginMaking = (typeof originMakings)[number]

/** Parts that are not stated are absent. */
export const originPartsFields = z.partial(
  z.object({
    lyrics: z.enum(originMakings),
    music: z.enum(originMakings),
    vocals: z.enum(originMakings),
    artwork: z.enum(originMakings),
  }),
)
export type OriginParts = z.infer<typeof originPartsFields>
