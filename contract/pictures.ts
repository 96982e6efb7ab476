// Sizes and addresses of covers and avatars.

export const pictureSizes = [128, 384, 1024] as const
export type PictureSize = (typeof pictureSizes)[number]

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
  'rate_limited',
] as const
