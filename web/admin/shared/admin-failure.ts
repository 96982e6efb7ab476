// Error messages of the back office, with the specification's wording, plus the server's reason where it helps.
import { ApiError, isReportedElsewhere } from '../../base/api/api.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

/** Shows a toast such as 'Error' / 'Failed to update role', followed by the server's reason if there is one. */
export function showFailure(error: unknown, text: string): void {
  if (isShownElsewhere(error)) return
  const reason = getServerReason(error)
  showToast({
    tone: 'destructive',
    title: 'Error',
    message: reason ? `${text}. ${reason}` : text,
  })
}

/** Shows a toast with the server's reason, or with `fallback` if there is none. */
export function showReason(error: unknown, fallback: string, title = 'Error'): void {
  if (isShownElsewhere(error)) return
  showToast({ tone: 'destructive', title, message: getServerReason(error) ?? fallback })
}

/** True if the app already reports the error. For a missing second factor, a page replaces the screen. */
function isShownElsewhere(error: unknown): boolean {
  const isFactorMissing = error instanceof ApiError && error.code === 'second_factor_required'
  return isFactorMissing || isReportedElsewhere(error)
}

/** Returns the server's reason for rejecting a request. Undefined for network failures and server errors. */
export function getServerReason(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return undefined
  return error.code === 'invalid_input' ? firstProblem(error.details) : error.message
}

function firstProblem(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined
  const [first] = details as { message?: unknown }[]
  return typeof first?.message === 'string' ? first.message : undefined
}
