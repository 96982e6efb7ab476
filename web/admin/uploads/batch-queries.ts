// Query for the tracks of one batch.
import { useQuery } from '@tanstack/react-query'
import { listImportedTracks } from '#contract/admin/track-imports.ts'
import { call } from '../../base/api/api.ts'

export type ImportedTracksQuery = ReturnType<typeof useImportedTracks>

/** Loads the tracks of a batch. They are refetched on live events. `batch` is empty until files are dropped. */
export function useImportedTracks(batch: string) {
  return useQuery({
    queryKey: ['admin', 'tracks', 'batch', batch],
    queryFn: ({ signal }) => call(listImportedTracks, { params: { id: batch } }, { signal }),
    enabled: batch !== '',
  })
}
