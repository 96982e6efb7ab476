// Inserts the owner's business data by SQL, in every state: messages, reviews, announcements, spots, gifts, refunds,
// cancellations, webhooks, and royalties of a closed month.
import type pg from 'pg'
import { longArtist, longDescription } from './lived-in-texts.ts'

const longSubject =
  'Premium renewed twice in one week, the receipt shows a name that is not mine, and 静かな夜 will not play'.slice(
    0,
    120,
  )

export const memberJoinCode = 'c0ffee0000'
export const memberReceipt = 900_001

export async function insertBusiness(client: pg.Client, memberId: string): Promise<void> {
  await insertMessages(client, memberId)
  await insertReviews(client)
  await insertAnnouncements(client)
  await insertSpots(client)
  await insertGifts(client, memberId)
  await insertReferrals(client, memberId)
  await insertReceipt(client, memberId)
  await insertRefunds(client)
  await insertCancellations(client)
  await insertWebhooks(client)
  await insertRoyalties(client)
}

/** Forty conversations with members on all plans, three of them with the member of the lived-in world. */
async function insertMessages(client: pg.Client, memberId: string): Promise<void> {
  await client.query(
    `with writers as (
       select id, (row_number() over (order by created_at))::int as i from profiles where id <> $1 limit 40),
     threads as (
       insert into support_threads (user_id, subject, state, waiting_since, last_message_at, created_at)
       select w.id, case when w.i % 9 = 0 then $2 when w.i % 2 = 0 then 'Cannot sign in' else 'A wish' end,
              (array['open', 'answered', 'closed'])[1 + w.i % 3],
              case when w.i % 3 = 0 then now() - make_interval(hours => w.i) end,
              now() - make_interval(hours => w.i), now() - make_interval(hours => w.i + 5)
         from (select * from writers union all select $1, i * 3 from generate_series(1, 3) i) w
       returning id, state, created_at, last_message_at)
     insert into support_messages (thread_id, is_answer, text, created_at)
     select t.id, m.is_answer, m.text, case when m.is_answer then t.last_message_at else t.created_at end
       from threads t
      cross join (values (false, 'I pressed the button three times.' || chr(10) || chr(10) || $3::text),
                         (true, 'Thank you for telling us. It works again: https://example.com/help')) m (is_answer, text)
      where not m.is_answer or t.state <> 'open'`,
    [memberId, longSubject, longDescription],
  )
}

/** A creator's drafts in each state of a review: waiting, published, returned, withdrawn. */
async function insertReviews(client: pg.Client): Promise<void> {
  await client.query(
    `with creator as (
       update user_roles r set role = 'creator' from profiles p
        where p.id = r.user_id and p.email = 'person-11@example.com' returning r.user_id as id),
     owned as (
       update tracks t set owner_id = c.id from creator c
        where t.id in (select id from tracks where not is_published and owner_id is null order by created_at desc limit 12)
       returning t.id, t.title, t.owner_id)
     insert into reviews (kind, item_id, title, owner_id, note, state, answer, submitted_at, decided_at)
     select 'track', o.id, o.title, o.owner_id, case when o.i % 2 = 0 then $1 else '' end, s.state,
            case when s.state = 'returned' then 'The last minute is silent. ' || $1 else '' end,
            now() - make_interval(hours => o.i * 9),
            case when s.state <> 'waiting' then now() - make_interval(hours => o.i) end
       from (select *, (row_number() over ())::int as i from owned) o,
            lateral (select (array['waiting', 'published', 'returned', 'withdrawn'])[1 + o.i % 4] as state) s`,
    [longDescription.slice(0, 600)],
  )
}

async function insertAnnouncements(client: pg.Client): Promise<void> {
  await client.query(
    `insert into announcements (subject, body, audience, created_by, created_at, sent_at, recipient_count)
     select case when i = 2 then $1 else 'What is new in month ' || i end,
            '# Hello' || chr(10) || chr(10) || $2 || chr(10) || chr(10) || '- one' || chr(10) || '- two',
            (array['all', 'free', 'premium'])[1 + i % 3],
            (select id from profiles order by created_at limit 1), now() - make_interval(days => i * 3),
            case when i > 2 then now() - make_interval(days => i * 3 - 1) end, case when i > 2 then i * 41 end
       from generate_series(1, 12) i`,
    [longSubject, longDescription],
  )
}

/** Spots that are on, off, past and future, with statistics. */
async function insertSpots(client: pg.Client): Promise<void> {
  await client.query(
    `with made as (
       insert into spots (kind, title, text, link_url, link_label, is_on, starts_at, ends_at, created_at)
       select 'card', case when i = 2 then left($1, 100) else 'Concert number ' || i end,
              case when i = 2 then left($2, 300) else 'Tickets at the door.' end,
              case when i % 2 = 0 then 'https://example.com/tickets' end, case when i % 2 = 0 then 'Tickets' else '' end,
              i % 3 > 0,
              case when i % 4 = 1 then now() + interval '10 days' when i % 4 = 2 then now() - interval '40 days' end,
              case when i % 4 = 2 then now() - interval '5 days' end, now() - make_interval(days => i)
         from generate_series(1, 8) i
       returning id)
     insert into spot_shows (id, spot_id, user_id, started_at, finished_at, clicked_at)
     select gen_random_uuid(), m.id, p.id, at, case when i % 3 > 0 then at + interval '8 seconds' end,
            case when i % 7 = 0 then at + interval '4 seconds' end
       from made m, generate_series(1, 60) i,
            lateral (select now() - make_interval(hours => i * 5) as at) times,
            lateral (select id from profiles order by created_at offset i limit 1) p`,
    [longSubject, longDescription],
  )
}

/** Gifts that were paid, sent, redeemed or refunded. Some were bought by the member, others by other people. */
async function insertGifts(client: pg.Client, memberId: string): Promise<void> {
  await client.query(
    `insert into gifts (code_hash, code_sealed, buyer_id, months, amount_cents, currency, from_name, recipient_email, message,
                        send_at, sent_at, payment_intent, paid_at, redeemed_by, redeemed_at, plan_from, plan_to,
                        refunded_at, created_at)
     select encode(sha256(convert_to('gift ' || i, 'utf8')), 'hex'), 'sealed', case when i % 3 = 0 then $1 else p.id end,
            (array[1, 3, 12])[1 + i % 3], (array[999, 2997, 9999])[1 + i % 3], 'usd',
            case when i = 4 then left($2, 100) else 'Person ' || i end,
            case when i % 2 = 0 then 'friend-' || i || '@example.com' end, case when i = 4 then left($3, 500) else '' end,
            case when i % 2 = 0 then now() + make_interval(days => 8 - i) end,
            case when i % 2 = 0 and i > 8 then now() + make_interval(days => 8 - i) end,
            'pi_gift_' || i, now() - make_interval(days => i),
            case when i % 5 = 0 then p.id end, case when i % 5 = 0 then now() - make_interval(days => i - 1) end,
            case when i % 5 = 0 then now() - make_interval(days => i - 1) end,
            case when i % 5 = 0 then now() + interval '1 month' end,
            case when i % 7 = 0 then now() - interval '1 hour' end, now() - make_interval(days => i)
       from generate_series(1, 30) i, lateral (select id from profiles order by created_at offset i limit 1) p`,
    [memberId, longArtist, longDescription],
  )
}

/** Referrals in each state: joined, paid, earned, voided. Some are by the member, others by other people. */
async function insertReferrals(client: pg.Client, memberId: string): Promise<void> {
  await client.query(`update settings set referral_months = 1`)
  await client.query('insert into referral_links (user_id, code) values ($1, $2)', [
    memberId,
    memberJoinCode,
  ])
  await client.query(
    `with people as (select id, (row_number() over (order by created_at desc))::int as i from profiles where id <> $1),
     joined as (
       insert into referrals (referrer_id, friend_id, address_hash, months, state, void_reason, joined_at, paid_at, due_at,
                              settled_at)
       select case when p.i % 3 = 0 then $1 when p.i % 7 > 0 then r.id end, case when p.i % 5 > 0 then p.id end,
              encode(sha256(convert_to('friend ' || p.i, 'utf8')), 'hex'), 1, s.state,
              case when s.state = 'void' then (array['refunded', 'same_card', 'account_deleted', 'by_admin'])[1 + p.i / 4 % 4] end,
              now() - make_interval(days => p.i), case when s.state <> 'joined' then now() - make_interval(days => p.i - 1) end,
              case when s.state <> 'joined' then now() + make_interval(days => 13 - p.i) end,
              case when s.state in ('rewarded', 'void') then now() - interval '1 hour' end
         from people p join people r on r.i = p.i + 100,
              lateral (select (array['joined', 'paid', 'rewarded', 'void'])[1 + p.i % 4] as state) s
        where p.i <= 60
       returning id, referrer_id, friend_id, state)
     insert into referral_rewards (referral_id, user_id, side, months, state, way, given_at)
     select id, referrer_id, 'referrer', 1, 'given', 'coupon', now() from joined where state = 'rewarded'
     union all
     select id, friend_id, 'friend', 1, 'over_limit', null, null from joined where state = 'rewarded'`,
    [memberId],
  )
}

async function insertReceipt(client: pg.Client, memberId: string): Promise<void> {
  await client.query(
    `insert into receipts (number, payment_id, user_id, amount_cents, currency, payment_method, description, covers_from,
                           covers_to, recipient, issuer, issued_at)
     values ($1, gen_random_uuid(), $2, 9999, 'usd', 'cash', 'Velour Premium, yearly', now(), now() + interval '1 year',
             'listener@example.com',
             jsonb_build_object('invoice_name', $3::text, 'invoice_address', '1 Harbour Street' || chr(10) || 'Hamburg',
                                'invoice_tax_id', 'DE123456789', 'invoice_footer', left($4, 900)), now())`,
    [memberReceipt, memberId, longArtist, longDescription],
  )
}

async function insertRefunds(client: pg.Client): Promise<void> {
  await client.query(
    `insert into refund_requests (payment_id, user_id, amount_cents, currency, reason, state, failure, requested_by, created_at,
                                  settled_at)
     select p.id, p.user_id, p.amount_cents, p.currency,
            (array['requested_by_customer', 'duplicate', 'fraudulent'])[1 + i % 3], s.state,
            case when s.state = 'refused' then 'charge_disputed' end,
            (select id from profiles order by created_at limit 1), now() - make_interval(hours => i),
            case when s.state <> 'waiting' then now() - make_interval(hours => i - 1) end
       from (select *, (row_number() over (order by paid_at desc))::int as i from payments
              where stripe_charge_id is not null and kind = 'payment' limit 6) p,
            lateral (select (array['waiting', 'done', 'refused'])[1 + i % 3] as state) s`,
  )
}

/** Subscriptions paid by card. Half of them were canceled, and some of those were kept by the retention offer. */
async function insertCancellations(client: pg.Client): Promise<void> {
  await client.query(
    `insert into stripe_subscriptions (id, user_id, customer_id, status, tier, started_at, ends_at, cancels, cancel_asked_at,
                                       cancel_reason, cancel_feedback, cancel_comment, retained_at)
     select 'sub_' || i, s.user_id, s.stripe_customer_id, 'active', 'monthly', now() - interval '90 days',
            now() + interval '10 days', i % 2 = 0 and i % 5 > 0, case when i % 2 = 0 then asked_at end,
            case when i % 2 = 0 then 'cancellation_requested' end,
            case when i % 2 = 0 then (array['too_expensive', 'unused', 'missing_features', 'switched_service', 'other'])[1 + i / 2 % 5] end,
            case when i % 4 = 0 then left($1, 400) end, case when i % 10 = 0 then asked_at end
       from (select *, (row_number() over (order by user_id))::int as i from subscriptions
              where stripe_customer_id is not null and stripe_subscription_id is null limit 30) s,
            lateral (select now() - make_interval(days => 9 * i) as asked_at) at`,
    [longDescription],
  )
}

/** A working webhook endpoint, a disabled one, and a log of deliveries. */
async function insertWebhooks(client: pg.Client): Promise<void> {
  await client.query(
    `with endpoints as (
       insert into webhook_endpoints (url, description, event_types, secret_sealed, disabled_reason, disabled_at, failing_since)
       values ('https://example.com/velour/' || repeat('long-path/', 20), left($1, 200), '{track.published}', 'sealed', null, null, null),
              ('https://example.org/hook', '', '{track.published}', 'sealed', 'failing', now(), now() - interval '3 days')
       returning id),
     events as (
       insert into webhook_events (type, data, created_at)
       select 'track.published', jsonb_build_object('title', 'Song ' || i), now() - make_interval(hours => i)
         from generate_series(1, 40) i
       returning id, created_at),
     deliveries as (
       insert into webhook_deliveries (endpoint_id, event_id, state, attempts, next_attempt_at, created_at)
       select p.id, e.id, s.state, 1, case when s.state = 'pending' then now() + interval '1 day' end, e.created_at
         from endpoints p, events e,
              lateral (select (array['delivered', 'failed', 'pending'])[1 + abs(hashtext(e.id::text || p.id::text)) % 3] as state) s
       returning id, state, created_at)
     insert into webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_body, error)
     select id, 1, created_at, 210, case when state = 'delivered' then 204 when state = 'failed' then 500 end,
            case when state = 'failed' then $1 end, case when state = 'pending' then 'The connection was refused.' end
       from deliveries`,
    [longDescription],
  )
}

/** Closed royalties of the previous month for 40 artists. */
async function insertRoyalties(client: pg.Client): Promise<void> {
  await client.query(
    `with month as (select (date_trunc('month', now()) - interval '1 month')::date as first),
     statement as (
       insert into royalty_statements (month, currency, net_cents, owner_cents, paying)
       select first, 'usd', 987654, 12345, 88 from month returning month, currency)
     insert into royalty_lines (month, currency, artist_id, name, minutes, listeners, amount_cents)
     select s.month, s.currency, a.id, a.name, 12345.67 / a.i, 1 + 200 / a.i, 90000 / a.i
       from statement s, (select id, name, (row_number() over (order by name))::int as i from artists limit 40) a`,
  )
}
