// How a failure is told: the specification's title and words.
import { showToast } from '../ui/toast-store.ts'
import { ApiError, isSessionOver } from './api.ts'

/** Shows what went wrong. With `message`, these words; else those of the server. That the session is over is said elsewhere. */
export function showError(error: unknown, message?: string, title = 'Error'): void {
  if (isSessionOver(error)) return
  showToast({ tone: 'destructive', title, message: message ?? errorText(error) })
}

/** Words for a failure, for toasts and for screens that could not load. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong. Please try again.'
}
