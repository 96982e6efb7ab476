// The texts that differ between /admin/library and /admin/tracks. Both screens share their table and form.
import { showFailure, showReason } from '../shared/admin-failure.ts'

export interface TrackVariant {
  title: (total: number | undefined) => string
  /** Text under the heading. */
  note: (total: number | undefined) => string | undefined
  /** Name of the list in the queue panel of the player. */
  listName: string
  failedTitle: string
  empty: string
  addLabel: string
  loadFailed: (error: unknown) => void
  saveFailed: (error: unknown) => void
  updateFailed: (error: unknown) => void
  deleteFailed: (error: unknown) => void
  /** The toast when a new track has no recording. */
  audioMissing: { title: string; message: string }
}

const count = (total: number | undefined) =>
  total === undefined ? '…' : total.toLocaleString('en')

/** Texts of /admin/library. */
export const libraryVariant: TrackVariant = {
  title: () => 'Track Library',
  note: (total) => `All Tracks (${count(total)})`,
  listName: 'Track Library',
  failedTitle: 'Failed to load tracks',
  empty: 'No tracks found. Add your first track to get started.',
  addLabel: 'Add Track',
  loadFailed: (error) => showFailure(error, 'Failed to load tracks'),
  saveFailed: (error) => showFailure(error, 'Failed to save track'),
  updateFailed: (error) => showFailure(error, 'Failed to update track'),
  deleteFailed: (error) => showFailure(error, 'Failed to delete track'),
  audioMissing: { title: 'Validation Error', message: 'Audio file required' },
}

/** Texts of /admin/tracks. */
export const tracksVariant: TrackVariant = {
  title: (total) => `Tracks (${count(total)} total)`,
  note: () => undefined,
  listName: 'Tracks',
  failedTitle: 'Error loading data',
  empty: 'No tracks found. Add your first track to get started.',
  addLabel: 'Add Track',
  loadFailed: (error) => showReason(error, 'Failed to load tracks', 'Error loading data'),
  saveFailed: (error) => showReason(error, 'Failed to save track', 'Error saving track'),
  updateFailed: (error) => showReason(error, 'Failed to update track', 'Error updating track'),
  deleteFailed: (error) => showReason(error, 'Failed to delete track', 'Error deleting track'),
  audioMissing: { title: 'Audio file required', message: 'Please upload an audio file' },
}
