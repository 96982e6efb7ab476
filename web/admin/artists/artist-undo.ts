// The Undo button in the toast after artists are merged, split or deleted.
import { undoArtistChange } from '#contract/admin/admin-artists.ts'
import { call } from '../../base/api/api.ts'
import type { Undo } from '../shared/offer-undo.ts'
import type { AdminList } from '../shared/refresh-after-change.ts'

/** Lists to refetch after a merge, a split or a deletion. */
export const artistLists: readonly AdminList[] = ['artists', 'tracks']

export function createArtistUndo(undo_id: string, name: string): Undo {
  return {
    name,
    restore: () => call(undoArtistChange, { params: { id: undo_id } }),
    done: 'Undone',
    failed: 'Failed to undo',
  }
}
