// Audio and avatars for Subsonic apps. The same code as for the web app checks the rights and chooses the quality.
import { sql } from 'kysely'
import type { Audience } from '#contract/fields/availability.ts'
import { isAvailable, getPremiumMarks } from '../availability/availability.ts'
import { canPlayOffline, canStreamFull, getPremiumReason } from '../billing/entitlements.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { requireUuid } from './item-ids.ts'
import type { ResponseSender, SubsonicCall } from './subsonic-call.ts'
import { notFound } from './subsonic-error.ts'

/**
 * In kbit/s. Apps that request at most this bit rate get the standard file, because the high-quality file exceeds it.
 */
const maxStandardKbps = 160

export const stream: ResponseSender = async (call) => {
  const { ctx, parameters, services, request, reply } = call
  const id = requireUuid('song', parameters.required('id'))
  // A maximum bit rate of 0 means no limit. The requested format is ignored, because every app plays AAC.
  const most = parameters.integer('maxBitRate', { or: 0, max: 100_000 })
  const access = await findAccess(call, id)
  if (access === 'none') throw new AppError('premium_required')
  if (access === 'whole') {
    const quality = most > 0 && most <= maxStandardKbps ? 'standard' : undefined
    const input = {
      params: { id },
      query: {},
      body: undefined,
      ...(quality && ({ quality } as const)),
    }
    return services.streams.streamTrack(ctx, input, request, reply)
  }
  return services.streams.streamPreview(
    ctx,
    { params: { id }, query: {}, body: undefined },
    request,
    reply,
  )
}

/** Sends a song for offline playback. Requires Premium, and is counted separately from streams. */
export const download: ResponseSender = async ({ ctx, parameters, services, request, reply }) => {
  const id = requireUuid('song', parameters.required('id'))
  if (!canPlayOffline(ctx.actor)) throw new AppError('premium_required')
  return services.streams.streamTrack(
    ctx,
    { params: { id }, query: { keep: 'true' }, body: undefined },
    request,
    reply,
  )
}

/** Returns which file of a song the person may play. Hidden songs result in the error for unknown songs. */
async function findAccess(
  { ctx }: SubsonicCall,
  id: string,
): Promise<'whole' | 'preview' | 'none'> {
  const { rows } = await sql<{
    has_preview: boolean
    audience: Audience
    early_access_until: string | null
  }>`
    select exists (select from renditions r where r.track_id = t.id and r.kind = 'preview') as has_preview,
           t.audience, t.early_access_until
      from tracks t where t.id = ${id}::uuid and ${isAvailable('t')}`.execute(ctx.db.query)
  const [song] = rows
  if (!song) throw notFound('Song')
  const reason = getPremiumReason(ctx.actor, getPremiumMarks(song), ctx.now())
  if (canStreamFull(ctx.actor, song.has_preview, reason)) return 'whole'
  return song.has_preview ? 'preview' : 'none'
}

/** Sends the person's own avatar. Requests for others get the same picture. */
export const getAvatar: ResponseSender = async ({ ctx, services, reply }) => {
  const avatarId = /\/avatars\/([0-9a-f-]{36})\//.exec(ctx.actor.avatar_url ?? '')?.[1]
  if (!avatarId) throw notFound('Avatar')
  const avatar = { kind: 'avatar', id: avatarId, size: 384 } as const
  return services.jpegs.send(reply, avatar, 'private, max-age=86400')
}
