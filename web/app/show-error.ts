// Shows errors with the specification's title and wording.
import { showToast } from '../ui/toast-store.ts'
import { ApiError, isSessionOver } from './api.ts'

/** Shows an error as a toast: `message` if given, else the server's message. A lost session is announced elsewhere. */
export function showError(error: unknown, message?: string, title = 'Error'): void {
  if (isSessionOver(error)) return
  showToast({ tone: 'destructive', title, message: message ?? errorText(error) })
}

/** Message of an error, for toasts and for screens that failed to load. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong. Please try again.'
}
