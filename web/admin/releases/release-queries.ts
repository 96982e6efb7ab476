// Queries and mutations for releases.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  deleteRelease,
  getAdminRelease,
  listAdminReleases,
  publishRelease,
  restoreRelease,
  unpublishRelease,
  type AdminRelease,
} from '#contract/admin/admin-releases.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { showReason } from '../shared/admin-failure.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export type ReleaseQuery = NonNullable<CallInput<typeof listAdminReleases>['query']>

export function useAdminReleases(query: ReleaseQuery) {
  return useQuery({
    queryKey: ['admin', 'releases', query],
    queryFn: ({ signal }) => call(listAdminReleases, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function useAdminRelease(id: string) {
  return useQuery({
    queryKey: ['admin', 'draft', 'release', id],
    queryFn: ({ signal }) => call(getAdminRelease, { params: { id } }, { signal }),
    // Never refetch while the editor is open, because its unsaved changes are based on this data.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

interface Publication {
  release: Pick<AdminRelease, 'id' | 'title'>
  isPublished: boolean
}

/** Publishes or hides a release. Publishing also publishes its tracks. */
export function usePublishRelease(onDone?: () => void) {
  return useAdminMutation<Publication>({
    run: ({ release: { id }, isPublished }) =>
      isPublished
        ? call(publishRelease, { params: { id }, body: { publish_tracks: true } })
        : call(unpublishRelease, { params: { id } }),
    refresh: ['releases', 'tracks'],
    done: (_, { release, isPublished }) =>
      isPublished ? `“${release.title}” is published` : `“${release.title}” is hidden`,
    ...(onDone && { onDone }),
    failed: (error) => showReason(error, 'Failed to publish the release'),
  })
}

export function useDeleteRelease(onDone: () => void) {
  return useAdminMutation<Pick<AdminRelease, 'id' | 'title'>>({
    run: ({ id }) => call(deleteRelease, { params: { id } }),
    refresh: ['releases', 'tracks'],
    done: 'Release deleted successfully',
    undo: ({ id, title }) => ({
      name: title,
      restore: () => call(restoreRelease, { params: { id } }),
      done: 'Release restored',
      failed: 'Failed to restore release',
    }),
    onDone,
    failed: (error) => showReason(error, 'Failed to delete release'),
  })
}
