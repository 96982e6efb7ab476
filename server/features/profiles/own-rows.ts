// Reads the shorter lists of the data export, each with one query. The lists identify no other people.
import { sql, type RawBuilder } from 'kysely'
import type { MemberContext } from '../../platform/operations/context.ts'

type OwnQuery = (me: string) => RawBuilder<object>

const queries = {
  subscriptions_at_stripe: (me) => sql`
    select id, status, tier, started_at, ends_at, trial_ends_at, retained_at as offer_taken_at
      from stripe_subscriptions where user_id = ${me} and not event_is_simulated order by started_at`,
  failed_payments: (me) => sql`
    select f.reason, f.amount_cents, f.currency, f.failed_at
      from failed_payments f join stripe_subscriptions b on b.id = f.subscription_id
     where b.user_id = ${me} order by f.failed_at`,
  refunds: (me) => sql`
    select amount_cents, currency, reason, state, created_at
      from refund_requests where user_id = ${me} order by created_at`,
  gifts_bought: (me) => sql`
    select months, amount_cents, currency, from_name, recipient_email, message, send_at, sent_at, paid_at,
           redeemed_at, refunded_at, created_at
      from gifts where buyer_id = ${me} order by created_at`,
  gifts_redeemed: (me) => sql`
    select months, from_name, message, redeemed_at, plan_from, plan_to, refunded_at
      from gifts where redeemed_by = ${me} order by redeemed_at`,
  referral_links: (me) => sql`
    select code, created_at from referral_links where user_id = ${me}`,
  joined_with_a_link: (me) => sql`
    select months, state, joined_at, paid_at from referrals where friend_id = ${me}`,
  friends_who_joined: (me) => sql`
    select months, state, joined_at, paid_at from referrals where referrer_id = ${me} order by joined_at`,
  months_for_friends: (me) => sql`
    select side, months, state, way, plan_from, plan_to, created_at, given_at
      from referral_rewards where user_id = ${me} order by created_at`,
  news_preferences: (me) => sql`
    select follows_everything, release_mail, announcements from news_preferences where user_id = ${me}`,
  news_mails: (me) => sql`
    select kind, state, created_at from tracked_mails where user_id = ${me} order by created_at`,
  refused_address: (me) => sql`
    select * from refused_addresses where user_id = ${me}`,
  mail_bounces: (me) => sql`
    select kind, email, reason, created_at from mail_bounces where user_id = ${me} order by created_at`,
  push_subscriptions: (me) => sql`
    select split_part(split_part(endpoint, '://', 2), '/', 1) as service, created_at
      from push_subscriptions where user_id = ${me} order by created_at`,
  liked_artists: (me) => sql`
    select a.name, l.created_at as liked_at
      from artist_likes l join artists a on a.id = l.artist_id where l.user_id = ${me} order by l.created_at`,
  ratings: (me) => sql`
    select item_id, rating from app_ratings where user_id = ${me} order by item_id`,
  continue_listening: (me) => sql`
    select kind, ref, track_id, played_at from listening_contexts where user_id = ${me} order by played_at`,
  daily_mixes: (me) => sql`
    select day, title, track_ids from daily_mixes where user_id = ${me} order by day, position`,
  app_queue: (me) => sql`
    select track_ids, current_index, position_ms, changed_by, changed_at from app_queues where user_id = ${me}`,
  reviews: (me) => sql`
    select kind, title, note, state, answer, submitted_at, decided_at
      from reviews where owner_id = ${me} order by submitted_at`,
  sign_up_page: (me) => sql`
    select kind, item_id, is_paid from sign_up_pages where user_id = ${me}`,
} satisfies Record<string, OwnQuery>

/** Returns the shorter lists, keyed by their names in the exported file. */
export function readOwnRows(ctx: MemberContext): Record<string, AsyncGenerator> {
  return Object.fromEntries(
    Object.entries<OwnQuery>(queries).map(([name, query]) => [name, readRows(ctx, query)]),
  )
}

async function* readRows({ db, actor }: MemberContext, query: OwnQuery): AsyncGenerator {
  const { rows } = await query(actor.user_id).execute(db.query)
  yield* rows
}
