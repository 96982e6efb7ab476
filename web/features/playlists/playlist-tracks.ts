// The tracks of a playlist by index. Only the visible pages are fetched, so a playlist of 20,000 tracks opens as fast
// as one of 20.
import { queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { listPlaylistTracks, type Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { call } from '../../base/api/api.ts'
import { useTrackSelection } from '../catalogue/selection/track-selection.ts'
import type { PlayableList } from '../player/queue/playable-list.ts'
import { playlistTracksKey, type TrackSort } from '../catalogue/queries/track-queries.ts'
import { readDownloadedPlaylistTracks } from '../../base/offline-store/read-downloads.ts'
import { downloadedTracksId } from '../../base/offline-store/downloaded-songs.ts'
import {
  withDownloadFallbackAfterTimeout,
  fromDownloads,
  withDownloadFallback,
} from '../../base/offline-store/download-fallback.ts'

const pageSize = 200
/** Page size for loading the whole list: the server's maximum. */
const bulkSize = 1000
/** Browsers limit HTTP/1.1 to six connections per host; two are left for other requests. */
const bulkRequests = 4

type ListedPlaylist = Pick<Playlist, 'id' | 'is_smart'>

function pageOptions({ id, is_smart }: ListedPlaylist, page: number, sort: TrackSort) {
  return queryOptions({
    queryKey: [...playlistTracksKey, id, page, sort] as const,
    queryFn: withDownloadFallback(
      ({ signal }) =>
        id === downloadedTracksId
          ? fromDownloads(() => readDownloadedPlaylistTracks(id, page * pageSize, pageSize))
          : call(
              listPlaylistTracks,
              { params: { id }, query: { offset: page * pageSize, limit: pageSize, ...sort } },
              { signal },
            ),
      () => readDownloadedPlaylistTracks(id, page * pageSize, pageSize),
    ),
    // A like can change a smart playlist, so refetch its pages after a like.
    ...(is_smart && { staleTime: 0, meta: { isSmart: true } }),
  })
}

/** Reads the tracks of a playlist in the given sort order. While offline, the playlist's own order is used. */
export function usePlaylistTracks(playlist: ListedPlaylist, sort: TrackSort = null) {
  const { id } = playlist
  const queryClient = useQueryClient()
  const [[firstIndex, lastIndex], setRange] = useState<[number, number]>([0, 0])
  const first = useQuery({
    ...pageOptions(playlist, 0, sort),
    // Keep the rows while another sort order loads: their number doesn't change.
    placeholderData: (data, before) =>
      before?.queryKey[playlistTracksKey.length] === id ? data : undefined,
  })
  const firstPage = Math.floor(firstIndex / pageSize)
  const lastPage = Math.floor(lastIndex / pageSize)
  useQueries({
    queries: Array.from({ length: lastPage - firstPage + 1 }, (_, i) =>
      pageOptions(playlist, firstPage + i, sort),
    ),
  })

  const pageAt = cachePages(
    (page) => queryClient.getQueryData(pageOptions(playlist, page, sort).queryKey)?.data,
  )
  return {
    /** The query of the first page, whose state counts as the state of the list. */
    query: first,
    isPending: first.isPending,
    isError: first.isError,
    total: first.data?.total ?? 0,
    trackAt: (index: number): Track | undefined =>
      pageAt(Math.floor(index / pageSize))?.[index % pageSize]?.track,
    /** Who added the track, in a shared playlist. */
    adderAt: (index: number): string | null | undefined =>
      pageAt(Math.floor(index / pageSize))?.[index % pageSize]?.added_by,
    onRange: (from: number, to: number) => setRange([from, to]),
    /** Returns the ids of the tracks in the loaded pages. */
    knownIds: () =>
      new Set(
        queryClient
          .getQueriesData<Output<typeof listPlaylistTracks>>({
            queryKey: [...playlistTracksKey, id],
          })
          .flatMap(([, part]) => part?.data.map((entry) => entry.track.id) ?? []),
      ),
    /** Returns the tracks for the player: the loaded ones from the start of the list, and the rest on demand. */
    playable(): PlayableList {
      const loaded: Track[] = []
      for (let page = 0; ; page++) {
        const entries = pageAt(page)
        if (!entries) break
        loaded.push(...entries.map((entry) => entry.track))
        if (entries.length < pageSize) break
      }
      const total = first.data?.total ?? 0
      const rest = (signal: AbortSignal) => fetchTracks(id, loaded.length, total, signal, sort)
      return { loaded, rest: loaded.length < total ? rest : null }
    },
  }
}

/** Returns the tracks of a playlist, with the sort order and selection of the list on screen. */
export function useSelectableTracks(playlist: ListedPlaylist) {
  const [sort, setSort] = useState<TrackSort>(null)
  const tracks = usePlaylistTracks(playlist, sort)
  const selection = useTrackSelection(tracks.playable, sort)
  return { tracks, sorting: { sort, onSort: setSort }, selection }
}

/** Caches the pages, so that each is looked up once, regardless of how many of its rows are read. */
function cachePages<Page>(look: (page: number) => Page | undefined) {
  const pages = new Map<number, Page | undefined>()
  return (page: number) => {
    if (!pages.has(page)) pages.set(page, look(page))
    return pages.get(page)
  }
}

/** Fetches all tracks of a playlist, for reordering. */
export async function fetchAllTracks(
  { id, track_count }: Pick<Playlist, 'id' | 'track_count'>,
  signal = new AbortController().signal,
): Promise<Track[]> {
  const tracks: Track[] = []
  for await (const part of fetchTracks(id, 0, track_count, signal)) tracks.push(...part)
  return tracks
}

/** Tracks of a playlist from an index to the end, in order, a few pages at a time. */
export async function* fetchTracks(
  id: string,
  fromIndex: number,
  total: number,
  signal: AbortSignal,
  sort: TrackSort = null,
): AsyncGenerator<Track[]> {
  const fetchPage = async (offset: number) => {
    const page = await withDownloadFallbackAfterTimeout(
      () =>
        id === downloadedTracksId
          ? fromDownloads(() => readDownloadedPlaylistTracks(id, offset, bulkSize))
          : call(
              listPlaylistTracks,
              { params: { id }, query: { offset, limit: bulkSize, ...sort } },
              { signal },
            ),
      () => readDownloadedPlaylistTracks(id, offset, bulkSize),
    )
    return page.data.map((entry) => entry.track)
  }
  for (let start = fromIndex; start < total; start += bulkSize * bulkRequests) {
    const offsets = Array.from({ length: bulkRequests }, (_, i) => start + i * bulkSize)
    yield (await Promise.all(offsets.filter((offset) => offset < total).map(fetchPage))).flat()
  }
}
