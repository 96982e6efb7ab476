// Shows errors with the specification's title and wording.
import { showToast } from '../ui/overlays/toast-store.ts'
import { ApiError, isReportedElsewhere } from './api.ts'

/** Shows an error as a toast, unless a dialog already reports it. `message` overrides the server's message. */
export function showError(error: unknown, message?: string, title = 'Error'): void {
  if (isReportedElsewhere(error)) return
  showToast({ tone: 'destructive', title, message: message ?? errorText(error) })
}

/** Returns the message of an error, for toasts and for screens that failed to load. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong. Please try again.'
}
