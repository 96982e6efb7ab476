// Fields of covers and avatars: the URL of the medium size, a tint for the surroundings, and a placeholder to show
// while the picture loads.
import * as z from 'zod/mini'

/**
 * `/media/covers/{id}/384.webp`. The other sizes and `.avif` are in the same folder. Null if a cover should be
 * generated from the title.
 */
export const coverFields = {
  cover_url: z.nullable(z.string()),
  cover_tint: z.nullable(z.string()),
  cover_placeholder: z.nullable(z.string()),
}
