// /admin/library: lists tracks, with separate columns for title and artist.
import { libraryColumns } from './track-columns.tsx'
import { TrackManager } from './track-manager.tsx'
import { libraryVariant } from './track-variant.ts'

export function LibraryScreen() {
  return <TrackManager variant={libraryVariant} columns={libraryColumns} />
}
