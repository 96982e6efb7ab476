// Error toasts of the back office: the text from the specification, plus the server's reason where it helps.
import { ApiError, isReportedElsewhere } from '../../base/api/api.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

/** Shows a toast with the title 'Error' and a text such as 'Failed to update role', followed by the server's reason. */
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

/** Returns true if the app shows the error in another way. A missing second factor opens its setup page. */
function isShownElsewhere(error: unknown): boolean {
  const isFactorMissing = error instanceof ApiError && error.code === 'second_factor_required'
  return isFactorMissing || isReportedElsewhere(error)
}

/** Returns why the server rejected a request. Undefined if there was no response or the server itself failed. */
export function getServerReason(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return undefined
  return error.code === 'invalid_input' ? firstProblem(error.details) : error.message
}

function firstProblem(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined
  const [first] = details as { message?: unknown }[]
  return typeof first?.message === 'string' ? first.message : undefined
}
