// Performs one change by an admin: the request, the queries to refetch afterwards, and the toast.
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { showFailure } from './admin-failure.ts'
import { SaveCanceled } from '../conflicts/save-merging.ts'
import { offerUndo, type Undo } from './offer-undo.ts'
import { refreshAfterChange, type AdminList } from './refresh-after-change.ts'

export interface Act<Input, Result> {
  run: (input: Input) => Promise<Result>
  /** Called when the change starts and ends, for buttons rendered elsewhere. */
  onSavingChange?: ((isSaving: boolean) => void) | undefined
  /** Lists affected by the change. */
  refresh: readonly AdminList[]
  /** Success toast. Undefined if the screen already shows the result. */
  done?: string | ((result: Result, input: Input) => string | undefined)
  /** Reverts the change. Offered in the success toast. */
  undo?: (input: Input) => Undo
  onDone?: (result: Result, input: Input) => void
  /** Message shown on failure, or a function that shows it. */
  failed: string | ((error: unknown) => void)
}

export function useAdminMutation<Input = void, Result = unknown>(
  act: Act<Input, Result>,
): UseMutationResult<Result, Error, Input> {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(input: Input) {
      act.onSavingChange?.(true)
      try {
        return await act.run(input)
      } finally {
        act.onSavingChange?.(false)
      }
    },
    onSuccess(result, input) {
      const toastTitle = typeof act.done === 'function' ? act.done(result, input) : act.done
      if (toastTitle && act.undo) offerUndo(queryClient, toastTitle, act.refresh, act.undo(input))
      else if (toastTitle) showToast({ tone: 'success', title: toastTitle })
      act.onDone?.(result, input)
    },
    onError(error) {
      if (error instanceof SaveCanceled) return
      if (typeof act.failed === 'string') showFailure(error, act.failed)
      else act.failed(error)
    },
    onSettled: () => refreshAfterChange(queryClient, act.refresh),
  })
}
