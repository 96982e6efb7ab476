// Reads a manifest of Faircamp (`release.eno`, `track.eno`): `name: value`, `name:` with `- items`, and blocks between two
// lines `-- name`. It is untrusted input.
import { cleanName } from '#contract/fields/clean-name.ts'
import type { AudioTags } from '../../platform/ffmpeg/audio-header.ts'

export type ManifestFields = Pick<AudioTags, 'artist' | 'album' | 'albumArtist' | 'year'>

const maxLines = 2000

export function readManifest(text: string): ManifestFields {
  const values = readValues(text)
  const one = (...names: string[]) => {
    const found = names.flatMap((name) => values.get(name) ?? [])
    return cleanName(found.join(', ')).slice(0, 200).trim() || undefined
  }
  const fields = {
    artist: one('track_artist', 'track_artists'),
    album: one('title'),
    albumArtist: one('release_artist', 'release_artists'),
    year: Number(/^\d{4}(?=-)/.exec(one('date', 'release_date') ?? '')?.[0] ?? Number.NaN),
  }
  const isGiven = (value: unknown) => value !== undefined && !Number.isNaN(value)
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => isGiven(value)),
  ) as ManifestFields
}

function readValues(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  let open: string | null = null
  let block: string | null = null
  for (const line of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .slice(0, maxLines)) {
    const fence = /^-{2,}\s*(\S.*?)\s*$/.exec(line)?.[1]
    if (block !== null) {
      if (fence === block) block = null
      continue
    }
    if (fence !== undefined) {
      block = fence
      continue
    }
    const [, name, value = ''] = /^([a-z_]+)\s*:\s*(.*?)\s*$/i.exec(line) ?? []
    const item = /^-\s+(\S.*?)\s*$/.exec(line)?.[1]
    if (name !== undefined) {
      open = name.toLowerCase()
      if (value !== '') values.set(open, [value])
    } else if (item !== undefined && open !== null) {
      values.set(open, [...(values.get(open) ?? []), item])
    }
  }
  return values
}
