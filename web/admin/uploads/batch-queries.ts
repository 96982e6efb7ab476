// The tracks of one drop, as the server has them.
import { useQuery } from '@tanstack/react-query'
import { listImportedTracks } from '#contract/track-imports.ts'
import { call } from '../../app/api.ts'

export type ImportedTracksQuery = ReturnType<typeof useImportedTracks>

/** Asked anew by live events; empty: nothing was dropped yet. */
export function useImportedTracks(batch: string) {
  return useQuery({
    queryKey: ['admin', 'tracks', 'batch', batch],
    queryFn: ({ signal }) => call(listImportedTracks, { params: { id: batch } }, { signal }),
    enabled: batch !== '',
  })
}
