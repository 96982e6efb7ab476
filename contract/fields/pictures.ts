// Sizes and URLs of covers and avatars.

export const pictureSizes = [128, 384, 1024] as const
export type PictureSize = (typeof pictureSizes)[number]

/** The URL of a picture in another size or format, derived from the one in the response. */
export function pictureUrl(url: string, size: PictureSize, format: 'webp' | 'avif'): string {
  return url.replace(/\/\d+\.(?:webp|avif)$/, `/${size}.${format}`)
}

/** Error codes of operations that use an uploaded picture. */
export const pictureErrors = [
  'upload_not_found',
  'upload_incomplete',
  'upload_used',
  'unsupported_image',
  'image_too_large',
] as const
