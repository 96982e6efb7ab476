// The toast after a deletion, with an Undo button for ten seconds.
import type { QueryClient } from '@tanstack/react-query'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { showFailure } from './admin-failure.ts'
import { refreshAfterChange, type AdminList } from './refresh-after-change.ts'

const undoMs = 10_000

export interface Undo {
  /** The kind of the deleted entity. */
  name?: string
  restore: () => Promise<unknown>
  /** 'Track restored' */
  done: string
  /** 'Failed to restore track' */
  failed: string
}

/** `title` is the toast's title. `lists` are the lists affected by the deletion and its undo. */
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
