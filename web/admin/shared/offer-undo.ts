// The toast after a deletion, with an Undo button for ten seconds.
import type { QueryClient } from '@tanstack/react-query'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { showFailure } from './admin-failure.ts'
import { refreshAfterChange, type AdminList } from './refresh-after-change.ts'

const undoMs = 10_000

export interface Undo {
  /** The name of what was deleted, shown in the toast after Undo. */
  name?: string
  restore: () => Promise<unknown>
  /** Title of the toast after Undo, such as 'Track restored'. */
  done: string
  /** Error message if Undo fails, such as 'Failed to restore track'. */
  failed: string
}

/** Shows a toast with `title` and an Undo button. `lists` are refetched after Undo. */
export function offerUndo(
  queryClient: QueryClient,
  title: string,
  lists: readonly AdminList[],
  { name, restore, done, failed }: Undo,
): void {
  async function undo() {
    try {
      await restore()
      showToast({ tone: 'success', title: done, ...(name && { message: name }) })
    } catch (error) {
      showFailure(error, failed)
    }
    await refreshAfterChange(queryClient, lists)
  }
  showToast({
    tone: 'success',
    title,
    ...(name && { message: name }),
    durationMs: undoMs,
    action: { label: 'Undo', onAction: () => void undo() },
  })
}
