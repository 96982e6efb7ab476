// The choices of the command palette as data, which is rendered, remembered and run.
import * as z from 'zod/mini'
import type { Artist } from '#contract/artists.ts'
import type { Category } from '#contract/categories.ts'
import { aiDisclosures } from '#contract/fields/ai-disclosure.ts'
import { releaseKindLabels } from '#contract/fields/release-fields.ts'
import type { Playlist } from '#contract/playlists.ts'
import type { Release } from '#contract/releases.ts'
import type { Track } from '#contract/tracks.ts'
import { formatSharedBy } from '../catalogue/queries/playlist-role.ts'
import { formatCount } from '../../base/format/format-duration.ts'

export const paletteChoice = z.object({
  kind: z.enum(['track', 'artist', 'playlist', 'release', 'category', 'screen', 'action']),
  /**
   * The id of a track or playlist, the slug of an artist, release or category, a screen's path, or an action's name.
   */
  id: z.string(),
  title: z.string(),
  detail: z.string(),
  /** URL of the picture. If null, a cover is drawn from the title, or an icon is shown for kinds that have one. */
  cover_url: z.nullable(z.string()),
  cover_tint: z.nullable(z.string()),
  /** Access restrictions, and how a track was made. */
  marks: z.optional(
    z.object({
      premium_only: z.boolean(),
      early_access_until: z.nullable(z.string()),
      ai_disclosure: z.optional(z.enum(aiDisclosures)),
      ai_tool: z.optional(z.nullable(z.string())),
    }),
  ),
})
export type PaletteChoice = z.infer<typeof paletteChoice>

export interface PaletteGroup {
  label: string
  choices: readonly PaletteChoice[]
}

/** Returns a key that is unique in the palette. */
export function choiceKey({ kind, id }: Pick<PaletteChoice, 'kind' | 'id'>): string {
  return `${kind}:${id}`
}

const premiumMarks = ({
  premium_only,
  early_access_until,
}: Pick<Track, 'premium_only' | 'early_access_until'>) => ({ premium_only, early_access_until })

export function trackChoice(track: Track): PaletteChoice {
  const { id, title, artist, cover_url, cover_tint, ai_disclosure, ai_tool } = track
  const marks = { ...premiumMarks(track), ai_disclosure, ai_tool }
  return { kind: 'track', id, title, detail: artist, cover_url, cover_tint, marks }
}

export function artistChoice(artist: Artist): PaletteChoice {
  const { slug: id, name: title, track_count, cover_url, cover_tint } = artist
  const detail = `Artist · ${formatCount(track_count, 'track', 'tracks')}`
  return { kind: 'artist', id, title, detail, cover_url, cover_tint }
}

export function playlistChoice(playlist: Playlist): PaletteChoice {
  const { id, title, track_count, is_own, is_curated, cover_url, cover_tint, mosaic } = playlist
  const whose = is_own
    ? 'Your playlist'
    : (formatSharedBy(playlist) ?? (is_curated ? 'Curated' : 'Public'))
  return {
    kind: 'playlist',
    id,
    title,
    detail: `${whose} · ${formatCount(track_count, 'track', 'tracks')}`,
    cover_url: cover_url ?? mosaic[0] ?? null,
    cover_tint,
    marks: premiumMarks(playlist),
  }
}

export function releaseChoice(release: Release): PaletteChoice {
  const { slug: id, title, artist, kind, cover_url, cover_tint } = release
  const detail = `${releaseKindLabels[kind]} · ${artist}`
  const marks = premiumMarks(release)
  return { kind: 'release', id, title, detail, cover_url, cover_tint, marks }
}

export function categoryChoice(category: Category): PaletteChoice {
  const { category: id, display_name: title, track_count, cover_url, cover_tint } = category
  const detail = formatCount(track_count, 'track', 'tracks')
  return { kind: 'category', id, title, detail, cover_url, cover_tint }
}

export function plainChoice(
  kind: 'screen' | 'action',
  id: string,
  title: string,
  detail = '',
): PaletteChoice {
  return { kind, id, title, detail, cover_url: null, cover_tint: null }
}
