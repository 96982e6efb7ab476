// The palette's content for the typed text. Without text: recent choices and screens. With text: local matches
// immediately and, after a pause in typing, search results from the server.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { rankTitle } from '#contract/fields/search-text.ts'
import { listArtists, type Artist } from '#contract/artists.ts'
import { listPlaylists, type Playlist } from '#contract/playlists.ts'
import { listReleases, type Release } from '#contract/releases.ts'
import { listTracks, type Track } from '#contract/tracks.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { useSession } from '../../base/session/session.ts'
import { categoriesQuery } from '../catalogue/queries/categories-query.ts'
import { isShuffled } from '../player/queue/play-queue.ts'
import { selectTrack, usePlayer } from '../player/playback/player-store.ts'
import { useSettled } from '../../base/ui/layout/use-settled.ts'
import {
  artistChoice,
  categoryChoice,
  playlistChoice,
  plainChoice,
  releaseChoice,
  trackChoice,
  type PaletteChoice,
  type PaletteGroup,
} from './palette-choice.ts'
import {
  actionChoices,
  matchingChoices,
  screenChoices,
  type PlayerNow,
} from './palette-commands.ts'
import { readRecentChoices } from './recent-choices.ts'

/** Debounce: short enough to feel immediate, long enough to skip most letters. */
const typingPauseMs = 160
const maxTracks = 8
const maxReleases = 4
const maxPlaylists = 4
const maxArtists = 4
const scopes = ['own', 'shared', 'curated', 'public'] as const

/** The key starts with 'tracks', so that a change of the catalogue refetches the results. */
function foundOptions(q: string) {
  return queryOptions({
    queryKey: ['tracks', 'palette', q] as const,
    // Further typing cancels this query and aborts its requests.
    async queryFn({ signal }) {
      const [tracks, artists, releases, ...playlists] = await Promise.all([
        call(listTracks, { query: { q, limit: maxTracks } }, { signal }),
        findArtists(q, signal),
        findReleases(q, signal),
        ...scopes.map((scope) => findPlaylists(q, scope, signal)),
      ])
      return {
        tracks: tracks.data,
        total: tracks.total ?? tracks.data.length,
        artists,
        releases,
        // Remove duplicates: a public playlist that is also shared with the user is found twice.
        playlists: [...new Map(playlists.flat().map((one) => [one.id, one])).values()],
      }
    },
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
}

async function findArtists(q: string, signal: AbortSignal): Promise<Artist[]> {
  return orEmpty(call(listArtists, { query: { q, limit: maxArtists } }, { signal }))
}

async function findReleases(q: string, signal: AbortSignal): Promise<Release[]> {
  return orEmpty(call(listReleases, { query: { q, limit: maxReleases } }, { signal }))
}

async function findPlaylists(
  q: string,
  scope: (typeof scopes)[number],
  signal: AbortSignal,
): Promise<Playlist[]> {
  return orEmpty(call(listPlaylists, { query: { q, scope, limit: maxPlaylists } }, { signal }))
}

/**
 * During a rolling upgrade an instance of the previous version may not have this operation or scope. Then return no
 * items.
 */
async function orEmpty<Item>(pending: Promise<{ data: Item[] }>): Promise<Item[]> {
  try {
    return (await pending).data
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.code === 'invalid_input')) {
      return []
    }
    throw error
  }
}

export interface PaletteSearch {
  groups: PaletteGroup[]
  /** The tracks among the results. Playing one also queues the others. */
  tracks: readonly Track[]
  /** True while the results for the current text are loading. */
  isWaiting: boolean
  error: Error | null
  retry: () => void
}

export function usePaletteSearch(text: string): PaletteSearch {
  const { user } = useSession()
  const [recent] = useState(() => (user ? readRecentChoices(user.id) : []))
  const player = usePlayerNow()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const wanted = text.trim()
  const q = useSettled(wanted, typingPauseMs)
  const found = useQuery(foundOptions(q))
  const screens = screenChoices(user?.role ?? 'member')
  const actions = actionChoices(player)
  if (wanted === '') {
    return {
      groups: filled([
        ['Recent', recent],
        ['Go to', screens.filter((choice) => !recent.some(({ id }) => id === choice.id))],
        ['Actions', actions],
      ]),
      tracks: [],
      isWaiting: false,
      error: null,
      retry: () => {},
    }
  }
  // If the search for the current text failed, the results of the previous text would mislead.
  const data = found.isError ? undefined : found.data
  const isWaiting = !found.isError && (wanted !== q || found.isPending || found.isPlaceholderData)
  const artists: [string, PaletteChoice[]] = ['Artists', data?.artists.map(artistChoice) ?? []]
  // When the text matches the name of an artist, artists are listed before tracks.
  const isNamed = data?.artists.some(({ name }) => rankTitle(name, wanted) >= 3) ?? false
  const more = data && data.total > data.tracks.length ? [moreInBrowse(q, data.total)] : []
  return {
    groups: filled([
      ['Go to', matchingChoices(screens, wanted)],
      ['Actions', matchingChoices(actions, wanted)],
      ['Categories', matchingChoices(categories.map(categoryChoice), wanted)],
      ...(isNamed ? [artists] : []),
      ['Tracks', [...(data?.tracks.map(trackChoice) ?? []), ...more]],
      ...(isNamed ? [] : [artists]),
      ['Releases', data?.releases.map(releaseChoice) ?? []],
      ['Playlists', data?.playlists.map(playlistChoice) ?? []],
    ]),
    tracks: data?.tracks ?? [],
    isWaiting,
    error: wanted === q ? found.error : null,
    retry: () => void found.refetch(),
  }
}

/** Selects only the player state that the actions depend on, so that position changes don't rerender the list. */
function usePlayerNow(): PlayerNow {
  return {
    hasTrack: usePlayer((state) => selectTrack(state) !== undefined),
    isPlaying: usePlayer((state) => state.playing),
    isShuffled: usePlayer((state) => isShuffled(state.queue)),
  }
}

function filled(groups: [label: string, choices: PaletteChoice[]][]): PaletteGroup[] {
  return groups
    .filter(([, choices]) => choices.length > 0)
    .map(([label, choices]) => ({ label, choices }))
}

function moreInBrowse(q: string, total: number): PaletteChoice {
  const address = `/browse?${new URLSearchParams({ q }).toString()}`
  return plainChoice('screen', address, `All ${total.toLocaleString('en')} tracks in Browse`)
}
