// Queries and mutations for tracks.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { listAdminCategories } from '#contract/admin/admin-categories.ts'
import { listGenres } from '#contract/admin/admin-genres.ts'
import {
  changeAdminTracks,
  getAdminTrack,
  listAdminTracks,
  processTrackAgain,
  publishTrack,
  restoreTracks,
  unpublishTrack,
  type AdminTrack,
} from '#contract/admin/admin-tracks.ts'
import type { CallInput, Output } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export type TrackQuery = NonNullable<CallInput<typeof listAdminTracks>['query']>
type TrackPage = Output<typeof listAdminTracks>

const pollMs = 1000

export function isProcessing({ processing_status }: AdminTrack): boolean {
  return processing_status === 'pending' || processing_status === 'processing'
}

/** Returns true if the track is published, or will be when its processing completes. */
export function isMarkedPublished(track: AdminTrack): boolean {
  return track.is_published || track.publish_when_ready
}

/** Loads one page of tracks. Polls every second while a track on the page is being processed. */
export function useAdminTracks(query: TrackQuery) {
  return useQuery({
    queryKey: ['admin', 'tracks', query],
    queryFn: ({ signal }) => call(listAdminTracks, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isProcessing) ? pollMs : false),
  })
}

export function useAdminTrack(id: string | null) {
  return useQuery({
    queryKey: ['admin', 'tracks', 'one', id],
    queryFn: ({ signal }) => call(getAdminTrack, { params: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isProcessing(state.data) ? pollMs : false),
  })
}

export function useCategoryOptions() {
  return useQuery({
    queryKey: ['admin', 'categories'],
    queryFn: ({ signal }) => call(listAdminCategories, {}, { signal }),
    select: ({ data }) =>
      data.map(({ category, display_name }) => ({ value: category, label: display_name })),
  })
}

export function useGenreOptions() {
  return useQuery({
    queryKey: ['admin', 'genres'],
    queryFn: ({ signal }) => call(listGenres, {}, { signal }),
    select: ({ data }) => data.map(({ name }) => ({ value: name, label: name })),
  })
}

/** Publishes or hides a track. The switch moves at once, and moves back if the server rejects the change. */
export function usePublishTrack(failed: (error: unknown) => void) {
  const queryClient = useQueryClient()
  function show(id: string, isPublished: boolean) {
    queryClient.setQueriesData<TrackPage>(
      { queryKey: ['admin', 'tracks'], predicate: ({ queryKey }) => queryKey[2] !== 'one' },
      (page) =>
        page && {
          ...page,
          data: page.data.map((track) =>
            track.id === id ? markPublished(track, isPublished) : track,
          ),
        },
    )
  }
  return useAdminMutation<{ id: string; isPublished: boolean }>({
    async run({ id, isPublished }) {
      await queryClient.cancelQueries({ queryKey: ['admin', 'tracks'] })
      show(id, isPublished)
      return setPublished(id, isPublished)
    },
    refresh: ['tracks', 'categories'],
    failed,
  })
}

export function setPublished(id: string, isPublished: boolean): Promise<AdminTrack> {
  return call(isPublished ? publishTrack : unpublishTrack, { params: { id } })
}

export async function deleteTrack(id: string): Promise<void> {
  await call(changeAdminTracks, { body: { action: 'delete', id } })
}

export function useProcessTrackAgain() {
  return useAdminMutation<AdminTrack>({
    run: ({ id }) => call(processTrackAgain, { params: { id } }),
    refresh: ['tracks', 'system'],
    done: (_, { title }) => `Processing “${title}” again`,
    failed: 'Failed to process the track again',
  })
}

export function useDeleteTrack(failed: (error: unknown) => void, onDone: () => void) {
  return useAdminMutation<AdminTrack>({
    run: ({ id }) => deleteTrack(id),
    refresh: ['tracks', 'categories', 'genres', 'playlists'],
    done: 'Track deleted successfully',
    undo: ({ id, title }) => ({
      name: title,
      restore: () => call(restoreTracks, { body: { ids: [id] } }),
      done: 'Track restored',
      failed: 'Failed to restore track',
    }),
    onDone,
    failed,
  })
}

function markPublished(track: AdminTrack, isPublished: boolean): AdminTrack {
  const isReady = track.processing_status === 'ready'
  return {
    ...track,
    is_published: isPublished && isReady,
    publish_when_ready: isPublished && !isReady,
    release_at: null,
  }
}
