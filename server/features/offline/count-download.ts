// Limits how many tracks an account can download per day. Downloads need their own limit, because they do not count as
// a device that plays.
import { maxDownloadsPerDay } from '#contract/offline.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import { transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

const daySeconds = 24 * 3600

/** Counts a download. A track counts once per day (UTC). Throws `too_many_downloads`. */
export async function countDownload(ctx: MemberContext, trackId: string): Promise<void> {
  const { user_id } = ctx.actor
  const kept_on = ctx.now().toISOString().slice(0, 10)
  await transaction(ctx.db, async (trx) => {
    await lockByName(trx, lockNames.keptTracks(user_id))
    await trx.query
      .insertInto('track_deliveries')
      .values({ user_id, track_id: trackId, is_preview: false, kept_on })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'track_id', 'is_preview']).doUpdateSet({ kept_on }),
      )
      .execute()
    const { count } = await trx.query
      .selectFrom('track_deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', user_id)
      .where('kept_on', '=', kept_on)
      .executeTakeFirstOrThrow()
    if (count <= maxDownloadsPerDay) return
    const passedSeconds = Math.floor(ctx.now().getTime() / 1000) % daySeconds
    throw new AppError('too_many_downloads', {
      headers: { 'retry-after': String(daySeconds - passedSeconds) },
    })
  })
}
