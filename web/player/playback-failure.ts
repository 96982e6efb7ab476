// Why a track could not be heard, and what is to be done about it. A media element only says that it
// failed, so the server is asked for the same file.
import { errors } from '#contract/errors.ts'
import { ApiError, send } from '../app/api.ts'

export type PlaybackFailure =
  /** It may work in a moment. */
  | { act: 'retry'; message: string; retryAfterSeconds: number | null }
  /** This track will not play; another may. */
  | { act: 'skip'; message: string }
  /** Nothing will play until somebody does something. */
  | { act: 'stop'; message: string }
  /** The server sees another plan or another session than we do. */
  | { act: 'ask-session'; message: string }
  /** The server believes that another device of the account plays. */
  | { act: 'ask-place'; message: string }

export const lostConnection = 'The connection was lost.'
/** `MediaError.MEDIA_ERR_NETWORK` */
export const mediaNetworkError = 2
/** A server that takes longer to answer is as good as none. */
const patienceMs = 8000

/** What the server says about a file: null when it hands it out. */
export async function askForFile(url: string, signal: AbortSignal): Promise<ApiError | null> {
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const response = await send(url, { method: 'GET', signal: inTime })
    await response.body?.cancel()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** @param mediaErrorCode of the element, where it gave one */
export function failureOf(
  answer: ApiError | null,
  mediaErrorCode: number | undefined,
  title: string,
): PlaybackFailure {
  if (!answer) {
    return mediaErrorCode === mediaNetworkError
      ? { act: 'retry', message: lostConnection, retryAfterSeconds: null }
      : { act: 'skip', message: `“${title}” cannot be played.` }
  }
  const { code, status, retryAfterSeconds } = answer
  if (code === 'playing_elsewhere') return { act: 'ask-place', message: answer.message }
  if (code === 'maintenance') return { act: 'stop', message: errors.maintenance[1] }
  if (code === 'network') return { act: 'retry', message: lostConnection, retryAfterSeconds: null }
  if (status === 429 || status >= 500) {
    return { act: 'retry', message: answer.message, retryAfterSeconds }
  }
  if (status === 401 || code === 'premium_required' || code === 'banned') {
    return { act: 'ask-session', message: answer.message }
  }
  if (status === 404 && code !== 'track_file_missing') {
    return { act: 'skip', message: `“${title}” is no longer available.` }
  }
  return { act: 'skip', message: `“${title}” cannot be played. ${answer.message}` }
}
