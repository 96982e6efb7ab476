// Sends emails about plans and payments. Each email is sent once, regardless of how often and in which order Stripe's
// events arrive.
import type { Config } from '../../../platform/config/config.ts'
import type { Database, Handle, Transaction } from '../../../platform/db/database.ts'
import type { JobQueue } from '../../../platform/jobs/job-queue.ts'
import { enqueueMail } from '../../../platform/mail/mail-queue.ts'
import type { Mail } from '../../../platform/mail/mail-texts.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import type { Branding } from '../../settings/branding.ts'

export interface MailSite {
  publicUrl: string
  brandName: string
}

/** Enqueues an email in the caller's transaction. */
export type SendBillingMail = (trx: Transaction, mail: (site: MailSite) => Mail) => Promise<void>

export interface BillingMailServices {
  config: Pick<Config, 'publicUrl'>
  jobs: Pick<JobQueue, 'enqueue'>
  secretBox: SecretBox
  branding: () => Pick<Branding, 'brand_name'>
  now: () => Date
}

export function createBillingMailer(services: BillingMailServices): SendBillingMail {
  return (trx, mail) =>
    enqueueMail(
      trx,
      services,
      mail({
        publicUrl: services.config.publicUrl,
        brandName: services.branding().brand_name,
      }),
    )
}

export type NoticeKind =
  | 'canceled'
  | 'ended'
  | 'receipt'
  | 'card_expires'
  | 'renewal'
  | 'gift'
  | 'gift_receipt'
  | 'price_change'
  | 'price_stays'
  | 'hand_receipt'
  | 'referral_reward'

/** Sends the email unless one with this kind and key was sent before. Demo accounts and banned people get no email. */
export async function sendNotice(
  trx: Transaction,
  sendMail: SendBillingMail,
  notice: { user_id: string; kind: NoticeKind; key: string },
  mail: (to: string, site: MailSite) => Mail,
): Promise<void> {
  const person = await trx.query
    .selectFrom('profiles')
    .select('email')
    .where('id', '=', notice.user_id)
    .where('is_demo', '=', false)
    .where('banned_at', 'is', null)
    .executeTakeFirst()
  if (!person || !(await claimNotice(trx, notice.kind, notice.key))) return
  await sendMail(trx, (site) => mail(person.email, site))
}

/** How long sent emails are recorded: longer than Stripe resends any event. */
const keptDays = 400

export async function deleteOldNotices(db: Database, now: Date): Promise<void> {
  await db.query
    .deleteFrom('billing_notices')
    .where('sent_at', '<', new Date(now.getTime() - keptDays * 24 * 3600 * 1000).toISOString())
    .execute()
}

/** Records that the email with this kind and key is sent. Returns false if it was recorded before. */
export async function claimNotice(handle: Handle, kind: NoticeKind, key: string): Promise<boolean> {
  const row = await handle.query
    .insertInto('billing_notices')
    .values({ kind, key })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .returning('kind')
    .executeTakeFirst()
  return row !== undefined
}
