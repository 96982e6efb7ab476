// Reads a manifest of the site generator Faircamp (`release.eno`, `track.eno`): `name: value`, `name:` followed by `-
// items`, and blocks between two `-- name` lines. It is untrusted input.
import { cleanName } from '#contract/fields/clean-name.ts'
import type { AudioTags } from '../../platform/ffmpeg/audio-header.ts'

export type ManifestFields = Pick<
  AudioTags,
  'title' | 'artist' | 'album' | 'albumArtist' | 'year' | 'lyrics'
>

const maxLines = 5000
const maxLyrics = 20_000

/** Reads a manifest. The same field names have different meanings in the manifests of releases and tracks. */
export function readManifest(text: string, kind: 'release' | 'track'): ManifestFields {
  const { values, blocks } = readValues(text)
  const one = (...names: string[]) => {
    const found = names.flatMap((name) => values.get(name) ?? [])
    return cleanName(found.join(', ')).slice(0, 200).trim() || undefined
  }
  const more = blocks.get('more')?.trim().slice(0, maxLyrics).toWellFormed()
  const fields = {
    artist: one('track_artist', 'track_artists'),
    [kind === 'release' ? 'album' : 'title']: one('title'),
    albumArtist: one('release_artist', 'release_artists'),
    year: Number(/^\d{4}(?=-)/.exec(one('date', 'release_date') ?? '')?.[0] ?? Number.NaN),
    // Faircamp has no field for lyrics, so owners write them into the free text and label it.
    lyrics: /lyric/i.test(one('more_label') ?? '') ? more || undefined : undefined,
  }
  const isGiven = (value: unknown) => value !== undefined && !Number.isNaN(value)
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => isGiven(value)),
  ) as ManifestFields
}

interface ManifestValues {
  values: Map<string, string[]>
  blocks: Map<string, string>
}

function readValues(text: string): ManifestValues {
  const values = new Map<string, string[]>()
  const blocks = new Map<string, string>()
  let open: string | null = null
  let block: { name: string; lines: string[] } | null = null
  for (const line of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .slice(0, maxLines)) {
    const fence = /^-{2,}\s*(\S.*?)\s*$/.exec(line)?.[1]
    if (block !== null) {
      if (fence !== block.name) {
        block.lines.push(line.trimEnd())
        continue
      }
      blocks.set(fence.toLowerCase(), block.lines.join('\n'))
      block = null
      continue
    }
    if (fence !== undefined) {
      block = { name: fence, lines: [] }
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
  return { values, blocks }
}
