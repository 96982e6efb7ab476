// Determines why a track failed and how to respond. A media element reports no cause, so the same file is requested
// from the server.
import * as z from 'zod/mini'
import { sharedErrorTexts } from '#contract/shown-texts.ts'
import type { Restriction } from '#contract/fields/availability.ts'
import { ApiError, send } from '../../../base/api/api.ts'
import { getRestrictionText } from '../../../base/format/format-restriction.ts'

export type PlaybackFailure =
  /** The failure is transient: a retry may succeed. */
  | { act: 'retry'; message: string; retryAfterSeconds: number | null }
  /** This track can't play, but another one may. */
  | { act: 'skip'; message: string }
  /** Playback stops until the user acts. */
  | { act: 'stop'; message: string }
  /** Plan or session have changed on the server: refetch the session. */
  | { act: 'refetch-session'; message: string }
  /** Another device of the account holds the player place: check this player's place with the server. */
  | { act: 'check-place'; message: string }

export const lostConnection = 'The connection was lost.'
/** `MediaError.MEDIA_ERR_NETWORK` */
export const mediaNetworkError = 2
/** How long to wait for the server's response. */
const timeoutMs = 8000

const restriction: z.ZodMiniType<Restriction> = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('premium_only') }),
  z.object({ reason: z.literal('early_access'), until: z.string() }),
])

/** Returns the server's error for a file, or null if the file is available. */
export async function requestFile(url: string, signal: AbortSignal): Promise<ApiError | null> {
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const response = await send(url, { method: 'GET', signal: inTime })
    await response.body?.cancel()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Returns why a restricted track needs Premium. Null for ordinary previews. */
function findPremiumReason({ code, details }: ApiError): string | null {
  const parsed = z.safeParse(restriction, details)
  return code === 'premium_required' && parsed.success ? getRestrictionText(parsed.data) : null
}

/** @param mediaErrorCode code of the element's error, if it has one */
export function classifyFailure(
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
  if (code === 'playing_elsewhere') return { act: 'check-place', message: answer.message }
  if (code === 'maintenance') return { act: 'stop', message: sharedErrorTexts.maintenance }
  if (code === 'network') return { act: 'retry', message: lostConnection, retryAfterSeconds: null }
  if (status === 429 || status >= 500) {
    return { act: 'retry', message: answer.message, retryAfterSeconds }
  }
  if (status === 401 || code === 'premium_required' || code === 'banned') {
    return { act: 'refetch-session', message: findPremiumReason(answer) ?? answer.message }
  }
  if (status === 404 && code !== 'track_file_missing') {
    return { act: 'skip', message: `“${title}” is no longer available.` }
  }
  return { act: 'skip', message: `“${title}” cannot be played. ${answer.message}` }
}
