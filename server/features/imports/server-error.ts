// What goes wrong with another server, as sentences for the owner. None of them contains an address or a secret.
import { ImportError } from './archive-error.ts'

/** It may work again in a moment: no connection, too slow, an error of the server. */
export class TransferError extends ImportError {}

/** Only this song or picture cannot be had. */
export class RefusedItemError extends ImportError {}

/** Codes of the OpenSubsonic API that concern one item: generic, no rights, not found. */
const itemCodes: readonly unknown[] = [0, 50, 70]
export const tokenSignInUnsupported = 41

const signInProblems: Readonly<Record<number, string>> = {
  40: 'The server refuses this user name or password.',
  41: 'The server takes no password here. Give it an API key.',
  42: 'The server does not take API keys. Give it a user name and a password.',
  43: 'The server refuses this way of signing in.',
  44: 'The server refuses this API key.',
  60: 'The trial of the other server is over.',
}

/** Of an answer with the status `failed`. `error` is untrusted. */
export function apiError(error: unknown): ImportError {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    message?: unknown
  }
  const problem = signInProblems[Number(code)]
  if (problem !== undefined) return new ImportError(problem)
  const words = typeof message === 'string' ? message.slice(0, 200).replaceAll('\0', '') : ''
  const text = words ? `The server says: ${words}` : 'The server refuses it.'
  return itemCodes.includes(code) ? new RefusedItemError(text) : new ImportError(text)
}
