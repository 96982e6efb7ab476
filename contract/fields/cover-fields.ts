// The fields of covers and avatars: the URL of the middle size, the tint for the surroundings, and a placeholder to
// show while the picture loads.
import * as z from 'zod/mini'

/** `/media/covers/{id}/384.webp`; the other sizes and `.avif` are next to it. Null: draw a cover from the title. */
export const coverFields = {
  cover_url: z.nullable(z.string()),
  cover_tint: z.nullable(z.string()),
  cover_placeholder: z.nullable(z.string()),
}
