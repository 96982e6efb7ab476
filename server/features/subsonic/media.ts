// Audio and avatars. The code of the web app's streams decides about rights and quality.
import { sql } from 'kysely'
import type { Audience } from '#contract/fields/availability.ts'
import { isAvailable, getPremiumMarks } from '../availability/availability.ts'
import { mayKeepOffline, mayStreamFull, premiumReason } from '../billing/entitlements.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { uuidOf } from './item-ids.ts'
import type { Sending, SubsonicCall } from './subsonic-call.ts'
import { notFound } from './subsonic-error.ts'

/** In kbit/s. Apps that request at most this bit rate get the standard file, because the better file exceeds it. */
const standardUpTo = 160

export const stream: Sending = async (call) => {
  const { ctx, parameters, services, request, reply } = call
  const id = uuidOf('song', parameters.required('id'))
  // 0 means no limit. Formats are never converted, because every app plays AAC.
  const most = parameters.integer('maxBitRate', { or: 0, max: 100_000 })
  const access = await accessTo(call, id)
  if (access === 'none') throw new AppError('premium_required')
  if (access === 'whole') {
    const quality = most > 0 && most <= standardUpTo ? 'standard' : undefined
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

/** For offline storage. Requires Premium, and is counted separately from playback. */
export const download: Sending = async ({ ctx, parameters, services, request, reply }) => {
  const id = uuidOf('song', parameters.required('id'))
  if (!mayKeepOffline(ctx.actor)) throw new AppError('premium_required')
  return services.streams.streamTrack(
    ctx,
    { params: { id }, query: { keep: 'true' }, body: undefined },
    request,
    reply,
  )
}

/** Which file of the song the person may play. Hidden songs are reported as not found. */
async function accessTo({ ctx }: SubsonicCall, id: string): Promise<'whole' | 'preview' | 'none'> {
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
  const reason = premiumReason(ctx.actor, getPremiumMarks(song), ctx.now())
  if (mayStreamFull(ctx.actor, song.has_preview, reason)) return 'whole'
  return song.has_preview ? 'preview' : 'none'
}

/** Returns only the person's own avatar. */
export const getAvatar: Sending = async ({ ctx, services, reply }) => {
  const avatarId = /\/avatars\/([0-9a-f-]{36})\//.exec(ctx.actor.avatar_url ?? '')?.[1]
  if (!avatarId) throw notFound('Avatar')
  const avatar = { kind: 'avatar', id: avatarId, size: 384 } as const
  return services.jpegs.send(reply, avatar, 'private, max-age=86400')
}
