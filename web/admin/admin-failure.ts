// Error messages of the back office, in the specification's wording, with the server's reason where it helps.
import { ApiError, isKnownToPerson } from '../app/api.ts'
import { showToast } from '../ui/toast-store.ts'

/** 'Error' / 'Failed to update role', and after it what the server refused it for. */
export function showFailure(error: unknown, words: string): void {
  if (isSaid(error)) return
  const reason = reasonOf(error)
  showToast({
    tone: 'destructive',
    title: 'Error',
    message: reason ? `${words}. ${reason}` : words,
  })
}

/** 'Error' / the server's message, or these words where it has none. */
export function showReason(error: unknown, fallback: string, title = 'Error'): void {
  if (isSaid(error)) return
  showToast({ tone: 'destructive', title, message: reasonOf(error) ?? fallback })
}

/** A page in place of the screen says that the second factor is missing. */
function isSaid(error: unknown): boolean {
  const isFactorMissing = error instanceof ApiError && error.code === 'second_factor_required'
  return isFactorMissing || isKnownToPerson(error)
}

/** Why the server refused, in its words. Undefined for failures that are nobody's fault. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return undefined
  return error.code === 'invalid_input' ? firstProblem(error.details) : error.message
}

function firstProblem(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined
  const [first] = details as { message?: unknown }[]
  return typeof first?.message === 'string' ? first.message : undefined
}
