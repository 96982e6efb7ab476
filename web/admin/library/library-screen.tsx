// /admin/library: the tracks by title and artist.
import { libraryColumns } from '../tracks/track-columns.tsx'
import { TrackManager } from '../tracks/track-manager.tsx'
import { libraryVariant } from '../tracks/track-variant.ts'

export function LibraryScreen() {
  return <TrackManager variant={libraryVariant} columns={libraryColumns} />
}
