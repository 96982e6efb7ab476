// Emails a person about a new key or token of theirs. The email is sent only if the transaction that creates the key
// commits.
import type { Config } from '../../platform/config/config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { enqueueMail } from '../../platform/mail/mail-queue.ts'
import { newKeyMail } from '../../platform/mail/member-mails.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import type { Branding } from '../settings/branding.ts'

export interface KeyNotices {
  config: Pick<Config, 'publicUrl'>
  branding: () => Pick<Branding, 'brand_name'>
  jobs: Pick<JobQueue, 'enqueue'>
  secretBox: SecretBox
}

export function mailNewKey(
  { config, branding, jobs, secretBox }: KeyNotices,
  ctx: MemberContext,
  trx: Transaction,
  key: { kind: Parameters<typeof newKeyMail>[2]['kind']; name: string },
): Promise<void> {
  const site = { publicUrl: config.publicUrl, brandName: branding().brand_name }
  const mail = newKeyMail(ctx.actor.email, site, { ...key, address: ctx.ip, at: ctx.now() })
  return enqueueMail(trx, { jobs, secretBox, now: ctx.now }, mail)
}
