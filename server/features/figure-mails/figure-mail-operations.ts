// Reads and saves the settings of the weekly statistics emails: the weekday and a switch for all admins, and an opt-out
// for each admin.
import type * as contract from '#contract/admin/service/admin-figure-mails.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { readMailSettings } from '../settings/mail-settings.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'

type Answer = Output<typeof contract.getFigureMails>

export function getFigureMails(ctx: MemberContext): Promise<Answer> {
  return readFigureMails(ctx.db, ctx.actor.user_id)
}

export async function setFigureMails(
  { settings }: { settings: SettingsCache },
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.setFigureMails>,
): Promise<Answer> {
  const { user_id } = ctx.actor
  const saved = await transaction(ctx.db, async (trx) => {
    await readMailSettings(trx, { lock: true })
    const before = await readFigureMails(trx, user_id)
    await trx.query
      .updateTable('mail_settings')
      .set({ weekly_figures: body.is_on, figures_weekday: body.weekday })
      .where('id', '=', 1)
      .execute()
    if (body.for_me) {
      await trx.query.deleteFrom('figure_mail_refusals').where('user_id', '=', user_id).execute()
    } else {
      await trx.query
        .insertInto('figure_mail_refusals')
        .values({ user_id })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .execute()
    }
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: 'mail/figures',
      before: audited(before),
      after: audited(body),
    })
    await notify(trx, 'settings')
    return readFigureMails(trx, user_id)
  })
  await settings.reload()
  return saved
}

async function readFigureMails(handle: Handle, userId: string): Promise<Answer> {
  const { weekly_figures, figures_weekday } = await readMailSettings(handle)
  const refusal = await handle.query
    .selectFrom('figure_mail_refusals')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return { is_on: weekly_figures, weekday: figures_weekday, for_me: refusal === undefined }
}

const audited = ({ is_on, weekday, for_me }: Answer) => ({
  weekly_figures: is_on,
  figures_weekday: weekday,
  figures_for_me: for_me,
})
