// How covers and avatars look on the wire: the address of the middle size, the tint that colours
// the room around them, and a placeholder that is there before the picture is.
import * as z from 'zod/mini'

/** `/media/covers/{id}/384.webp`; its siblings have the other sizes and `.avif`. Null: draw one from the title. */
export const coverFields = {
  cover_url: z.nullable(z.string()),
  cover_tint: z.nullable(z.string()),
  cover_placeholder: z.nullable(z.string()),
}
