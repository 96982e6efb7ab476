// A member's consents to emails about new music and announcements. Each change is recorded with its time and channel.
// Withdrawing a consent also cancels pending emails.
import { sql } from 'kysely'
import type * as contract from '#contract/news.ts'
import type { ConsentWay, NewsPreferences } from '#contract/news.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { cancelTrackedMails } from '../../platform/mail/mail-tracking.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

type Choices = ParsedInput<typeof contract.updateNewsPreferences>['body']

export async function getNewsPreferences(
  ctx: MemberContext,
): Promise<Output<typeof contract.getNewsPreferences>> {
  return readPreferences(ctx.db, ctx.actor.user_id)
}

export async function updateNewsPreferences(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.updateNewsPreferences>,
): Promise<Output<typeof contract.updateNewsPreferences>> {
  const userId = ctx.actor.user_id
  return transaction(ctx.db, async (trx) => {
    await saveNewsChoices(trx, userId, body, 'profile')
    return readPreferences(trx, userId)
  })
}

/** Saves the given choices and records each changed consent. Returns false if the account no longer exists. */
export async function saveNewsChoices(
  trx: Transaction,
  userId: string,
  choices: Choices,
  way: ConsentWay,
): Promise<boolean> {
  await sql`
    insert into news_preferences (user_id) select id from profiles where id = ${userId}
    on conflict do nothing`.execute(trx.query)
  // Lock the row that `sendNewsMails` also locks, so that no email is created while the consent is withdrawn.
  const before = await trx.query
    .selectFrom('news_preferences')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return false
  const { release_mail = before.release_mail, announcements = before.announcements } = choices
  const { follows_everything = before.follows_everything } = choices
  await trx.query
    .updateTable('news_preferences')
    .set({ follows_everything, announcements, release_mail })
    .set({
      next_digest_at:
        release_mail !== 'weekly' ? null : (before.next_digest_at ?? sql<string>`${nextDigest}`),
    })
    .where('user_id', '=', userId)
    .execute()
  if (release_mail !== before.release_mail) {
    await recordConsent(trx, { user_id: userId, kind: 'release_mail', choice: release_mail, way })
    if (release_mail === 'off') await cancelReleaseMails(trx, userId)
  }
  if (announcements !== before.announcements) {
    const choice = announcements ? 'on' : 'off'
    await recordConsent(trx, { user_id: userId, kind: 'announcements', choice, way })
    if (!announcements) await cancelTrackedMails(trx, userId, ['announcement'])
  }
  await notify(trx, 'follows', userId)
  return true
}

/** The time of the next weekly digest for a new subscriber: the next Friday at 8:00 UTC. */
export const nextDigest = sql<string>`(
  date_trunc('week', now() at time zone 'UTC') + interval '4 days 8 hours'
  + case when date_trunc('week', now() at time zone 'UTC') + interval '4 days 8 hours' <= now() at time zone 'UTC'
         then interval '7 days' else interval '0' end) at time zone 'UTC'`

export async function recordConsent(
  trx: Transaction,
  consent: {
    user_id: string
    kind: contract.ConsentKind
    choice: 'on' | contract.ReleaseMail
    way: ConsentWay
  },
): Promise<void> {
  await trx.query.insertInto('news_consents').values(consent).execute()
}

async function cancelReleaseMails(trx: Transaction, userId: string): Promise<void> {
  await cancelTrackedMails(trx, userId, ['release', 'digest'])
  await trx.query
    .updateTable('news_deliveries')
    .set({ is_done: true })
    .where('user_id', '=', userId)
    .where('is_done', '=', false)
    .execute()
}

async function readPreferences(handle: Handle, userId: string): Promise<NewsPreferences> {
  const row = await handle.query
    .selectFrom('profiles as p')
    .leftJoin('news_preferences as n', 'n.user_id', 'p.id')
    .select([
      sql<boolean>`coalesce(n.follows_everything, false)`.as('follows_everything'),
      sql<contract.ReleaseMail>`coalesce(n.release_mail, 'off')`.as('release_mail'),
      sql<boolean>`coalesce(n.announcements, false)`.as('announcements'),
      'p.email_verified',
      isSuspended.as('is_suspended'),
      sql<number>`(select count(*)::int from followed_artists f where f.user_id = p.id)`.as(
        'followed_count',
      ),
    ])
    .where('p.id', '=', userId)
    .executeTakeFirstOrThrow()
  const { email_verified, is_suspended, ...shown } = row
  return {
    ...shown,
    mail_problem: !email_verified ? 'unconfirmed' : is_suspended ? 'suspended' : null,
  }
}

/** Whether news to the person `p` is suspended, because mail servers rejected the address too often. */
const isSuspended = sql<boolean>`exists (
  select from refused_addresses x where x.user_id = p.id and x.email = p.email and x.suspended_at is not null)`

/** Whether the person `p` can be emailed: the address is confirmed and not suspended, and the person is not banned. */
export const canReceiveEmail = sql<boolean>`(p.email_verified and p.banned_at is null and not ${isSuspended})`

/** Whether the person `p` has Premium. Same rule as `isPremium` in the contract. */
export const hasPremium = sql<boolean>`(p.subscription_status = 'active')`
