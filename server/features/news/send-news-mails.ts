// Enqueues emails with pending news at a limited rate. Thousands of simultaneous emails could be treated as spam and
// would delay password emails. Each email is enqueued in the transaction that marks its news as done.
import { sql } from 'kysely'
import { lockNames, tryLockByName } from '../../platform/db/advisory-locks.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import type { Config } from '../../platform/config/config.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { enqueueTrackedMail } from '../../platform/mail/mail-queue.ts'
import { releaseMail } from '../../platform/mail/news-mails.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import type { Branding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { canReceiveEmail, hasPremium } from './news-preferences.ts'
import { describeSubject, readSubjects, type NewsSubject } from './news-subjects.ts'
import { createUnsubscribeLink } from './unsubscribe.ts'

export interface NewsMailServices {
  db: Database
  config: Pick<Config, 'publicUrl'>
  settings: Pick<SettingsCache, 'current'>
  branding: () => Pick<Branding, 'brand_name'>
  jobs: Pick<JobQueue, 'enqueue'>
  secretBox: SecretBox
  now: () => Date
}

/** Interval between runs. Each run sends its share of the emails per minute. */
export const newsIntervalMs = 5_000
const listedItems = 20
/** Minimum interval between two emails to a member. News that becomes due in this time is combined into one email. */
const restMinutes = 10

/** Enqueues the due emails. Returns how many members were processed. */
export async function sendNewsMails(services: NewsMailServices): Promise<number> {
  return transaction(services.db, async (trx) => {
    if (!(await tryLockByName(trx, lockNames.newsMails()))) return 0
    await skipEmptyDigests(trx)
    const people = await listDuePeople(trx, await countRemainingMails(trx, services))
    for (const person of people) await sendTo(services, trx, person)
    return people.length
  })
}

/**
 * Returns how many emails with news or announcements may be enqueued now. The caller must hold the lock `newsMails`.
 */
export async function countRemainingMails(
  trx: Transaction,
  { settings }: Pick<NewsMailServices, 'settings'>,
): Promise<number> {
  const perMinute = settings.current().news_mails_per_minute
  const { count } = await trx.query
    .selectFrom('tracked_mails')
    .select(sql<number>`count(*)`.as('count'))
    .where('created_at', '>', sql<string>`now() - interval '1 minute'`)
    .executeTakeFirstOrThrow()
  const share = Math.ceil((perMinute * newsIntervalMs) / 60_000)
  return Math.max(0, Math.min(share, perMinute - count))
}

interface DuePerson {
  id: string
  email: string
  is_premium: boolean
  is_digest: boolean
}

/** Selects the members whose news has been pending longest, and locks their preferences. */
async function listDuePeople(trx: Transaction, limit: number): Promise<DuePerson[]> {
  const { rows } = await sql<DuePerson>`
    select p.id, p.email, ${hasPremium} as is_premium, n.release_mail = 'weekly' as is_digest
      from news_preferences n join profiles p on p.id = n.user_id
     cross join lateral (
       select min(d.created_at) as since from news_deliveries d where d.user_id = p.id and not d.is_done) waiting
     where p.id in (select user_id from news_deliveries where not is_done)
       and ${canReceiveEmail}
       and case n.release_mail
             when 'each' then not exists (
               select from tracked_mails m
                where m.user_id = p.id and m.kind = 'release'
                  and m.created_at > now() - make_interval(mins => ${restMinutes}))
             when 'weekly' then n.next_digest_at <= now()
             else false end
     order by waiting.since, p.id
     limit ${limit}
       for update of n skip locked`.execute(trx.query)
  return rows
}

/** Moves the digest to the next week if there is no news, so that no empty email is sent. */
async function skipEmptyDigests(trx: Transaction): Promise<void> {
  await sql`
    update news_preferences n set next_digest_at = ${followingDigest}
     where n.release_mail = 'weekly' and n.next_digest_at <= now()
       and not exists (select from news_deliveries d where d.user_id = n.user_id and not d.is_done)`.execute(
    trx.query,
  )
}

/** The time of the next weekly digest: whole weeks after the last one, and in the future. */
const followingDigest = sql`n.next_digest_at + interval '7 days'
  * ceil(extract(epoch from now() - n.next_digest_at + interval '1 second') / (7 * 86400))`

async function sendTo(
  services: NewsMailServices,
  trx: Transaction,
  { id, email, is_premium, is_digest }: DuePerson,
): Promise<void> {
  const waiting = await trx.query
    .selectFrom('news_deliveries')
    .select('item_id')
    .where('user_id', '=', id)
    .where('is_done', '=', false)
    .execute()
  const subjects = await readSubjects(
    trx,
    waiting.map(({ item_id }) => item_id),
    is_premium,
  )
  const open = subjects.filter(({ is_open }) => is_open)
  // Remove items that this person may not play now. They become news again when they open.
  await removeWaiting(trx, id, open)
  if (open.length > 0) {
    const kind = is_digest ? 'digest' : 'release'
    const mail = composeMail(services, { id, email }, open, is_digest)
    const mail_id = await enqueueTrackedMail(trx, services, mail, { user_id: id, kind })
    await trx.query
      .updateTable('news_deliveries')
      .set({ is_done: true, mail_id })
      .where('user_id', '=', id)
      .where('is_done', '=', false)
      .execute()
  }
  if (is_digest) {
    await sql`update news_preferences n set next_digest_at = ${followingDigest} where n.user_id = ${id}`.execute(
      trx.query,
    )
  }
}

async function removeWaiting(
  trx: Transaction,
  userId: string,
  open: readonly NewsSubject[],
): Promise<void> {
  const ids = open.map(({ item_id }) => item_id)
  await sql`
    delete from news_deliveries
     where user_id = ${userId} and not is_done and not (item_id = any(${ids}::uuid[]))`.execute(
    trx.query,
  )
}

function composeMail(
  services: NewsMailServices,
  { id, email }: { id: string; email: string },
  open: readonly NewsSubject[],
  isDigest: boolean,
) {
  const { publicUrl } = services.config
  const site = { publicUrl, brandName: services.branding().brand_name }
  return releaseMail(email, site, {
    items: open.slice(0, listedItems).map((subject) => ({
      title: subject.title,
      detail: describeSubject(subject),
      link: publicUrl + subject.path,
      picture: subject.cover_id && `${publicUrl}/media/covers/${subject.cover_id}/128.jpg`,
    })),
    more: Math.max(0, open.length - listedItems),
    isDigest,
    unsubscribe: createUnsubscribeLink(
      { publicUrl, secretBox: services.secretBox },
      id,
      'releases',
    ),
  })
}
