// Covers and their addresses.
import type { PictureSize } from '#contract/fields/pictures.ts'
import type { Config } from '../../platform/config/config.ts'

/** The id in the URL of a cover. */
export function coverOfUrl(url: string | null): string | null {
  return /^\/media\/covers\/([0-9a-f-]{36})\//.exec(url ?? '')?.[1] ?? null
}

export function pictureUrlOf(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  coverId: string,
  size: PictureSize,
): string {
  return new URL(`/media/covers/${coverId}/${size}.jpg`, publicUrl).href
}
