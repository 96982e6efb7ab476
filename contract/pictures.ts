// How covers and avatars look on the wire: the address of the middle size, the tint that colours
// the room around them, and a placeholder that is there before the picture is.
import * as z from 'zod/mini'

export const pictureSizes = [128, 384, 1024] as const
export type PictureSize = (typeof pictureSizes)[number]

/** `/media/covers/{id}/384.webp`; its siblings have the other sizes and `.avif`. Null: draw one from the title. */
export const coverFields = {
  cover_url: z.nullable(z.string()),
  cover_tint: z.nullable(z.string()),
  cover_placeholder: z.nullable(z.string()),
}

/** Address of a picture in another size or format, derived from the one on the wire. */
export function pictureUrl(url: string, size: PictureSize, format: 'webp' | 'avif'): string {
  return url.replace(/\/\d+\.(?:webp|avif)$/, `/${size}.${format}`)
}

/** What an operation that takes a picture's upload may refuse it with. */
export const pictureErrors = [
  'upload_not_found',
  'upload_incomplete',
  'upload_used',
  'unsupported_image',
  'image_too_large',
] as const
