// Errors of another server, with messages for the owner. No message contains a URL or a secret.
import { ImportError } from './archive-error.ts'

/** A temporary failure: no connection, a timeout or a server error. Trying again may succeed. */
export class TemporaryServerError extends ImportError {}

/** One song or picture is unavailable. Others may still be downloaded. */
export class UnavailableItemError extends ImportError {}

/** OpenSubsonic error codes that concern a single item: generic error, not authorized, not found. */
const itemCodes: readonly unknown[] = [0, 50, 70]
export const tokenSignInUnsupported = 41

const signInProblems: Readonly<Record<number, string>> = {
  40: 'The server rejected this user name or password.',
  41: 'The server does not accept passwords. Use an API key.',
  42: 'The server does not accept API keys. Use a user name and password.',
  43: 'The server rejected this sign-in method.',
  44: 'The server rejected this API key.',
  60: 'The trial period of the other server has ended.',
}

/** Converts the error of a response with the status `failed`. `error` is untrusted. */
export function toApiError(error: unknown): ImportError {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    message?: unknown
  }
  const problem = signInProblems[Number(code)]
  if (problem !== undefined) return new ImportError(problem)
  const words = typeof message === 'string' ? message.slice(0, 200).replaceAll('\0', '') : ''
  const text = words ? `The server reports: ${words}` : 'The server rejected the request.'
  return itemCodes.includes(code) ? new UnavailableItemError(text) : new ImportError(text)
}
