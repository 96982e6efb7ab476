// Runs one change of the back office: sends the request, refetches lists, and shows a toast.
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { showFailure } from './admin-failure.ts'
import { SaveCanceled } from '../conflicts/save-merging.ts'
import { offerUndo, type Undo } from './offer-undo.ts'
import { refreshAfterChange, type AdminList } from './refresh-after-change.ts'

export interface Act<Input, Result> {
  run: (input: Input) => Promise<Result>
  /** Called when the request starts and ends, for a button that is rendered in another component. */
  onSavingChange?: ((isSaving: boolean) => void) | undefined
  /** Lists to refetch after the change. */
  refresh: readonly AdminList[]
  /** Text of the success toast. Undefined for no toast, if the screen already shows the result. */
  done?: string | ((result: Result, input: Input) => string | undefined)
  /** Returns how to revert the change. Adds an Undo button to the success toast. */
  undo?: (input: Input) => Undo
  onDone?: (result: Result, input: Input) => void
  /** Text of the error toast, or a function that shows the error. */
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
