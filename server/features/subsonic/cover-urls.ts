// Ids and URLs of covers in the Subsonic API.
import type { PictureSize } from '#contract/fields/pictures.ts'
import type { Config } from '../../platform/config/config.ts'

/** Returns the cover's id in a URL of this site. Null for other URLs. */
export function parseCoverId(url: string | null): string | null {
  return /^\/media\/covers\/([0-9a-f-]{36})\//.exec(url ?? '')?.[1] ?? null
}

export function buildPictureUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  coverId: string,
  size: PictureSize,
): string {
  return new URL(`/media/covers/${coverId}/${size}.jpg`, publicUrl).href
}
