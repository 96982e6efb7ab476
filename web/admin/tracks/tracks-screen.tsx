// /admin/tracks: lists tracks with covers, genres and dates.
import { TrackManager } from './track-manager.tsx'
import { tracksColumns } from './track-columns.tsx'
import { tracksVariant } from './track-variant.ts'

export function TracksScreen() {
  return <TrackManager variant={tracksVariant} columns={tracksColumns} />
}
