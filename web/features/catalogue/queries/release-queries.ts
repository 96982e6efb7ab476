// Queries of releases, and liking them.
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { ReleaseKind } from '#contract/fields/release-fields.ts'
import {
  getRelease,
  likeRelease,
  listReleases,
  unlikeRelease,
  type ReleaseDetail,
} from '#contract/releases.ts'
import { call } from '../../../base/api/api.ts'
import { showError } from '../../../base/api/show-error.ts'
import { readDownloadedRelease } from '../../../base/offline-store/read-downloads.ts'
import { withDownloadFallback } from '../../../base/offline-store/download-fallback.ts'

export interface ReleaseFilters {
  q?: string
  kind?: ReleaseKind
  /** Id of an artist. */
  artist?: string
  liked?: boolean
  limit?: number
}

export const releaseListKey = ['releases', 'list'] as const
/** Starts with 'tracks', like the key of every response with tracks: likes are updated in all of them. */
export const releaseKey = ['tracks', 'of-release'] as const

export function releaseListOptions({ q, kind, artist, liked, limit }: ReleaseFilters = {}) {
  return infiniteQueryOptions({
    queryKey: [...releaseListKey, { q, kind, artist, liked, limit }] as const,
    queryFn: ({ pageParam, signal }) =>
      call(
        listReleases,
        {
          query: {
            ...(q && { q }),
            ...(kind && { kind }),
            ...(artist && { artist }),
            ...(liked && { liked: 'true' }),
            ...(limit && { limit }),
            ...(pageParam && { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
}

/** @param address the id or the slug of the release */
export function releaseOptions(address: string) {
  return queryOptions({
    queryKey: [...releaseKey, address] as const,
    queryFn: withDownloadFallback(
      ({ signal }) => call(getRelease, { params: { id: address } }, { signal }),
      () => readDownloadedRelease(address),
    ),
  })
}

/**
 * Likes or unlikes a release. The change is shown immediately, and rolled back with a message if the server rejects it.
 */
export function useLikeRelease() {
  const queryClient = useQueryClient()
  const show = (id: string, is_liked: boolean) =>
    queryClient.setQueriesData<ReleaseDetail>({ queryKey: releaseKey }, (release) =>
      release?.id === id ? { ...release, is_liked } : undefined,
    )
  return useMutation({
    mutationFn: ({ id, liked }: { id: string; liked: boolean }) =>
      call(liked ? likeRelease : unlikeRelease, { params: { id } }),
    // Requests run one after another, so that the server ends with the state of the user's last press.
    scope: { id: 'like-release' },
    onMutate: ({ id, liked }) => void show(id, liked),
    onError(error, { id, liked }) {
      show(id, !liked)
      showError(error)
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: releaseListKey }),
  })
}

/**
 * Adds the release's loudness to its tracks. All of them then play with the same gain, so quiet songs stay quieter than
 * loud ones.
 */
export function tracksForPlayer({
  tracks,
  album_loudness_lufs,
  album_true_peak_dbtp,
}: ReleaseDetail) {
  return tracks.map((track) => ({ ...track, album_loudness_lufs, album_true_peak_dbtp }))
}
