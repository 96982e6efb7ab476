// Emails stay in the job queue until the mail server accepts them or they expire, even through refusals, outages and
// restarts. Their links give access to accounts, so they are encrypted in the queue and deleted as soon as the email
// is sent. An email whose link has expired is not sent.
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { TrackedMailKind } from '#contract/news.ts'
import { writeAudit } from '../audit/write-audit.ts'
import { transaction, type Database, type Transaction } from '../db/database.ts'
import type { JobPayload } from '../jobs/job-kinds.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { SecretBox } from '../security/secret-box.ts'
import { mail as mailSchema, type Mail } from './mail-texts.ts'
import { isPermanentRefusal, type Mailer } from './mailer.ts'
import { getErrorMessage } from './mail-failure.ts'
import { saveFailure, saveSent } from './mail-state.ts'
import { storeOutboxCopy } from './outbox-copies.ts'
import { deleteRefusals, saveRefusal, removeAddress } from './refused-addresses.ts'
import { sendTrackedMail } from './mail-tracking.ts'

/** Enqueues emails. `send` resolves when the email is stored in the queue. */
export interface MailQueue {
  readonly sendsBySmtp: boolean
  send: (mail: Mail) => Promise<void>
}

export function createMailQueue(services: {
  db: Database
  jobs: Pick<JobQueue, 'enqueue'>
  secretBox: SecretBox
  mailer: Pick<Mailer, 'sendsBySmtp'>
  now: () => Date
}): MailQueue {
  const { db, jobs, secretBox, mailer, now } = services
  return {
    get sendsBySmtp() {
      return mailer.sendsBySmtp
    },
    async send(mail) {
      await transaction(db, (trx) => enqueueMail(trx, { jobs, secretBox, now }, mail))
    },
  }
}

/** Enqueues an email in the caller's transaction, so that it is only sent if the transaction commits. */
export async function enqueueMail(
  trx: Transaction,
  services: { jobs: Pick<JobQueue, 'enqueue'>; secretBox: SecretBox; now: () => Date },
  mail: Mail,
  /** Id of a row in `tracked_mails`, which ensures that the email is never sent twice. */
  tracked_mail_id?: string,
): Promise<void> {
  const { jobs, secretBox, now } = services
  const expires_at = new Date(now().getTime() + mail.validSeconds * 1000).toISOString()
  const sealed_mail = secretBox.seal(JSON.stringify(mail))
  const payload = { sealed_mail, expires_at, ...(tracked_mail_id && { tracked_mail_id }) }
  await jobs.enqueue(trx, 'send-mail', payload)
}

/** Enqueues a tracked email and returns its id. It is sent at most once, and only if the transaction commits. */
export async function enqueueTrackedMail(
  trx: Transaction,
  services: { jobs: Pick<JobQueue, 'enqueue'>; secretBox: SecretBox; now: () => Date },
  mail: Mail,
  { user_id, kind }: { user_id: string; kind: TrackedMailKind },
): Promise<string> {
  const { id } = await trx.query
    .insertInto('tracked_mails')
    .values({ user_id, kind })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueueMail(trx, services, mail, id)
  return id
}

export interface MailSending {
  db: Database
  jobs: Pick<JobQueue, 'enqueue'>
  mailer: Pick<Mailer, 'send'>
  secretBox: SecretBox
  log: FastifyBaseLogger
  now: () => Date
}

/** How long after the last attempt of a job the email is enqueued again. */
const pauseSeconds = 600

/** Sends the email of a job. Throws if it must be retried. */
export async function sendQueuedMail(
  services: MailSending,
  payload: JobPayload<'send-mail'>,
  { isLastAttempt }: { isLastAttempt: boolean },
): Promise<void> {
  const { secretBox, now } = services
  const { sealed_mail, expires_at, tracked_mail_id } = payload
  const opened = secretBox.open(sealed_mail)
  if (opened === null) throw new Error('This email was encrypted with another SECRET.')
  const mail = await withName(services.db, z.parse(mailSchema, JSON.parse(opened)))
  const isExpired = now().getTime() >= Date.parse(expires_at)
  const reported = { ...services, mailer: reportState(services, payload) }
  try {
    if (tracked_mail_id !== undefined) {
      await sendTrackedMail(reported, tracked_mail_id, mail, { isExpired })
    } else await sendUntracked(reported, mail, isExpired)
  } catch (error) {
    if (!isLastAttempt) throw error
    // The mail server was unavailable during all retries of the job. Enqueue the email again, until it expires.
    await transaction(services.db, (trx) =>
      services.jobs.enqueue(trx, 'send-mail', payload, { delaySeconds: pauseSeconds }),
    )
  }
}

/** Adds the recipient's name, which the owner's texts may contain. */
async function withName(db: Database, mail: Mail): Promise<Mail> {
  if (!mail.own) return mail
  const person = await db.query
    .selectFrom('profiles')
    .select('display_name')
    .where('email', '=', mail.to)
    .executeTakeFirst()
  const name = person?.display_name ?? ''
  return { ...mail, own: { ...mail.own, values: { ...mail.own.values, name } } }
}

async function sendUntracked(services: MailSending, mail: Mail, isExpired: boolean): Promise<void> {
  if (isExpired) {
    return giveUp(services, mail, new Error('its link expired before it could be sent'))
  }
  try {
    const way = await services.mailer.send(mail)
    if (way === 'smtp') await deleteRefusals(services.db, mail.to)
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    await transaction(services.db, (trx) =>
      saveRefusal(trx, mail.to, getErrorMessage(error), 'server'),
    )
    await giveUp(services, mail, error)
  }
}

/** Stores the outcome of each attempt, and a copy of emails that were written to the outbox. */
function reportState(
  { db, mailer }: MailSending,
  payload: JobPayload<'send-mail'>,
): Pick<Mailer, 'send'> {
  return {
    async send(mail) {
      try {
        const way = await mailer.send(mail)
        await (way === 'smtp' ? saveSent(db) : storeOutboxCopy(db, payload))
        return way
      } catch (error) {
        await saveFailure(db, error)
        throw error
      }
    },
  }
}

/**
 * Handles an email that can't be delivered: writes a line to the server's log, and an entry for the person to the
 * audit log. Neither contains the link.
 */
async function giveUp({ db, log }: MailSending, mail: Mail, error: unknown): Promise<void> {
  const said = getErrorMessage(error)
  log.error(
    { mail_to: mail.to, subject: mail.subject, reason: said },
    'an email could not be delivered',
  )
  // The audit log is kept longer than the account, so it identifies the person only by id.
  const reason = removeAddress(said, mail.to)
  await transaction(db, async (trx) => {
    const person = await trx.query
      .selectFrom('profiles')
      .select('id')
      .where('email', '=', mail.to)
      .executeTakeFirst()
    await writeAudit({ actor: null, ip: '' }, trx, {
      action: 'update',
      entity: 'user',
      entity_id: person?.id ?? null,
      after: { undelivered_mail: mail.subject, reason },
    })
  })
}
