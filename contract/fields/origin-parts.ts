// How the parts of a recording were made. Private, stored with the track's origin.
import * as z from 'zod/mini'
import type { AiDisclosure } from './ai-disclosure.ts'

export const originParts = ['lyrics', 'music', 'vocals', 'artwork'] as const
export type OriginPart = (typeof originParts)[number]

export const originMakings = ['human', 'assisted', 'generated'] as const
export type OriginMaking = (typeof originMakings)[number]

/** Parts that were not stated are absent. */
export const originPartsFields = z.partial(
  z.object({
    lyrics: z.enum(originMakings),
    music: z.enum(originMakings),
    vocals: z.enum(originMakings),
    artwork: z.enum(originMakings),
  }),
)
export type OriginParts = z.infer<typeof originPartsFields>

/**
 * Derives the AI disclosure from the parts. Ignores the artwork, because it is not audible. Null if no other part is
 * stated.
 */
export function deriveDisclosure({ lyrics, music, vocals }: OriginParts): AiDisclosure | null {
  const heard = [lyrics, music, vocals].filter((making) => making !== undefined)
  if (heard.length === 0) return null
  if (music === 'generated' || vocals === 'generated') return 'ai_generated'
  return heard.every((making) => making === 'human') ? 'human' : 'ai_assisted'
}
