// Reads the bounce mailbox. One transaction stores the effect of a message and its UID. Each message therefore counts
// once, even after a crash, with several instances, or if someone marks the message as unread.
import { sql } from 'kysely'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import {
  bounceMailbox,
  readBounceSettings,
  type BounceMailbox,
} from '../settings/bounce-mailbox.ts'
import { countReport, type ReportResult } from './count-report.ts'
import {
  mailMaxBytes,
  readMailboxFailure,
  withMailbox,
  type MailHead,
  type OpenMailbox,
} from './open-mailbox.ts'
import { isReportType, readReport, type MailReport } from './read-report.ts'

export type BounceServices = Pick<PlatformServices, 'config' | 'db' | 'log' | 'now' | 'secretBox'>

/** How often the worker checks whether the mailbox must be read. */
export const bounceIntervalMs = 30_000
const pauseMinutes = 5
const mailsPerRun = 1000
const mailsPerStep = 50
/** Older messages are skipped when a mailbox is read for the first time. */
const firstDays = 7

export async function enqueueDueBounces({
  config,
  db,
  jobs,
  secretBox,
}: Pick<PlatformServices, 'config' | 'db' | 'jobs' | 'secretBox'>): Promise<void> {
  if (!bounceMailbox(config, await readBounceSettings(db), secretBox)) return
  await transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('bounce_state')
      .select('id')
      .where(
        sql<boolean>`tried_at is null or tried_at <= now() - make_interval(mins => ${pauseMinutes})`,
      )
      .executeTakeFirst()
    if (due) await jobs.enqueue(trx, 'read-bounces', {})
  })
}

/** Reads new messages. If the mailbox cannot be read, stores the reason, and the next job retries. */
export async function readBounces(
  services: BounceServices,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const { config, db, log, secretBox } = services
  const mailbox = bounceMailbox(config, await readBounceSettings(db), secretBox)
  if (!mailbox) return
  await db.query
    .updateTable('bounce_state')
    .set({ tried_at: sql<string>`now()` })
    .execute()
  let failure: ReturnType<typeof readMailboxFailure> | null = null
  try {
    await withMailbox(mailbox, { isReadOnly: false, signal }, (open) =>
      readNewMails(services, getMailboxName(mailbox), open, signal),
    )
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ err: error }, 'the bounce mailbox could not be read')
    failure = readMailboxFailure(error)
  }
  await db.query
    .updateTable('bounce_state')
    .set(
      failure
        ? { failed_at: sql<string>`now()`, ...failure }
        : { read_at: sql<string>`now()`, failed_at: null, reason: null, reply: null },
    )
    .execute()
}

/** Returns a name that identifies the mailbox, because message UIDs are valid only within one mailbox. */
const getMailboxName = ({ host, port, login, folder }: BounceMailbox) =>
  `${login.user}@${host}:${port}/${folder}`

interface Place {
  mailbox: string
  uid_validity: string
}

async function readNewMails(
  services: BounceServices,
  name: string,
  open: OpenMailbox,
  signal: AbortSignal,
): Promise<void> {
  const place = { mailbox: name, uid_validity: open.uidValidity }
  const uids = await findNewUids(services, place, open)
  for (let at = 0; at < Math.min(uids.length, mailsPerRun); at += mailsPerStep) {
    const reported: number[] = []
    for (const head of await open.readHeads(uids.slice(at, at + mailsPerStep))) {
      signal.throwIfAborted()
      const result = await readMail(services, place, open, head)
      if (result === 'bounced' || result === 'complaint') reported.push(head.uid)
    }
    await open.markAsRead(reported)
  }
}

async function findNewUids(
  { db, now }: BounceServices,
  { mailbox, uid_validity }: Place,
  open: OpenMailbox,
): Promise<number[]> {
  const state = await db.query.selectFrom('bounce_state').selectAll().executeTakeFirstOrThrow()
  if (state.mailbox === mailbox && state.uid_validity === uid_validity) {
    return open.listUids(state.last_uid)
  }
  const uids = await open.listRecentUids(new Date(now().getTime() - firstDays * 24 * 3600 * 1000))
  await db.query
    .updateTable('bounce_state')
    .set({ mailbox, uid_validity, last_uid: 0 })
    .where((where) =>
      where.or([where('mailbox', '<>', mailbox), where('uid_validity', '<>', uid_validity)]),
    )
    .execute()
  return uids
}

async function readMail(
  { db, now, secretBox }: BounceServices,
  place: Place,
  open: OpenMailbox,
  { uid, bytes, contentType }: MailHead,
): Promise<ReportResult | null> {
  const isWorthReading = isReportType(contentType) && bytes <= mailMaxBytes
  const source = isWorthReading ? await open.readMail(uid) : null
  const report = source && (await readReport(secretBox, source))
  return transaction(db, (trx) => countMail(trx, { ...place, uid, report, now: now() }))
}

/**
 * Applies the report and records the message as read, in one transaction. Returns null if another run has already read
 * the message.
 */
async function countMail(
  trx: Transaction,
  { uid, report, now, ...place }: Place & { uid: number; report: MailReport | null; now: Date },
): Promise<ReportResult | null> {
  const claimed = await trx.query
    .updateTable('bounce_state')
    .set({ last_uid: uid })
    .where('mailbox', '=', place.mailbox)
    .where('uid_validity', '=', place.uid_validity)
    .where('last_uid', '<', uid)
    .returning('id')
    .executeTakeFirst()
  if (!claimed) return null
  const result = report ? await countReport(trx, report, now) : 'ignored'
  const counter = `${result}_count` as const
  await trx.query
    .updateTable('bounce_state')
    .set((of) => ({
      read_count: of('read_count', '+', 1),
      [counter]: of(counter, '+', 1),
    }))
    .execute()
  return result
}
