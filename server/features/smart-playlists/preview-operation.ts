// Returns the tracks that match rules while the rules are edited.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { smartPreviewLength } from '#contract/smart-playlists.ts'
import type * as contract from '#contract/smart-playlists.ts'
import { type JsonText, serializeResponse } from '../../platform/db/ready-json.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { readSmartTracks, smartTrackIds, summarizeSmart } from './smart-tracks.ts'

export async function previewSmartPlaylist(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.previewSmartPlaylist>,
): Promise<JsonText<Output<typeof contract.previewSmartPlaylist>>> {
  const reader = { userId: ctx.actor.user_id, now: ctx.now() }
  const { track_count, duration } = await summarizeSmart(ctx.db, body.rules, reader)
  const limit = Math.min(body.rules.limit, smartPreviewLength)
  const ids = await smartTrackIds(ctx.db, { ...body.rules, limit }, reader)
  const tracks = await readSmartTracks(ctx.db, ctx.actor.user_id, ids)
  return serializeResponse<typeof contract.previewSmartPlaylist>({
    total: track_count,
    duration,
    data: tracks.map(({ json }) => json),
  })
}
