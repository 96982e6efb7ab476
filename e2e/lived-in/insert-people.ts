// Inserts 300 users by SQL, with every role, plan and status, and their subscriptions and payments.
import type pg from 'pg'
import { storedRoles, subscriptionStatuses, tiers } from '../../contract/plans.ts'
import { longDescription } from './lived-in-texts.ts'

const longEmail = `${'a.very.long.mailbox.name.'.repeat(2)}of.somebody@subdomain.of.a.long.domain.example.com`
const longName =
  'Maximiliana Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh de la Santísima Trinidad y Ruiz'

export async function insertPeople(client: pg.Client): Promise<void> {
  await client.query(
    `insert into profiles (email, email_verified, display_name, two_factor_enabled, subscription_tier,
                           subscription_status, subscription_ends_at, banned_at, deletion_requested_at, created_at)
     select case when i = 5 then $3 else 'person-' || i || '@example.com' end,
            i % 6 > 0,
            case when i = 5 then left($4, 100) when i % 20 = 0 then '' when i % 20 = 1 then '李小龙' when i % 20 = 2 then 'محمد'
                 when i % 20 = 3 then 'Q' else 'Person ' || i end,
            i % 15 = 0,
            ($1::text[])[1 + i % cardinality($1::text[])],
            ($2::text[])[1 + i / 2 % cardinality($2::text[])],
            case when i % 4 > 0 then now() + make_interval(days => i - 60) end,
            case when i % 25 = 0 then now() - interval '3 days' end,
            case when i % 40 = 0 then now() - interval '1 day' end,
            now() - make_interval(hours => i * 7)
       from generate_series(1, 300) i`,
    [tiers, subscriptionStatuses, longEmail, longName],
  )
  await client.query(
    `update user_roles r set role = ($1::text[])[1 + p.place % cardinality($1::text[])]
       from (select id, row_number() over (order by created_at) as place from profiles) p
      where p.id = r.user_id and p.place % 10 = 0`,
    [storedRoles],
  )
  await client.query(
    `insert into subscriptions (user_id, payment_method, is_manual, starts_at, notes, stripe_customer_id)
     select id, (array['cash', 'check', 'cashapp', 'zelle', 'other', 'stripe'])[1 + place % 6], place % 6 < 5,
            created_at, case when place % 4 = 0 then $1 when place % 4 = 1 then 'Paid at the door' end,
            case when place % 6 = 5 then 'cus_' || place end
       from (select p.*, (row_number() over (order by created_at))::int as place from profiles p
              where subscription_tier <> 'free') paying
     on conflict do nothing`,
    [longDescription],
  )
  await insertInvitations(client)
  await insertLedger(client)
}

/** Inserts invitations in every state. Some were sent by admins who are deleted. */
async function insertInvitations(client: pg.Client): Promise<void> {
  await client.query(
    `insert into invitations (email, display_name, role, subscription_tier, token_hash, sent_at, expires_at, invited_by)
     select case when i = 2 then 'guest.' || $1 else 'guest-' || i || '@example.com' end,
            case when i = 2 then left($2, 100) when i % 2 = 0 then 'Guest ' || i else '' end,
            case when i % 3 = 0 then 'editor' else 'member' end,
            case when i % 2 = 0 then 'premium' else 'free' end,
            case when i < 5 then encode(sha256(convert_to('the-invitation-of-guest-' || i, 'utf8')), 'hex') end,
            case when i < 5 then now() - make_interval(days => i * 2) end,
            now() + make_interval(days => 7 - i * 2),
            case when i <> 4 then (select id from profiles order by created_at limit 1) end
       from generate_series(1, 5) i`,
    [longEmail, longName],
  )
}

async function insertLedger(client: pg.Client): Promise<void> {
  await client.query(
    `insert into payments (user_id, kind, amount_cents, currency, payment_method, tier, stripe_charge_id, covers_from,
                           covers_to, paid_at)
     select s.user_id, 'payment', case when month = 3 then 1234567 else 999 end, 'usd', s.payment_method, 'monthly',
            case when s.payment_method = 'stripe' then 'ch_' || s.stripe_customer_id || '_' || month end,
            paid_at, paid_at + interval '1 month', paid_at
       from subscriptions s, generate_series(0, 3) month,
            lateral (select now() - make_interval(days => 30 * month + 2) as paid_at) at`,
  )
  await client.query(
    `insert into payments (user_id, kind, amount_cents, currency, payment_method, tier, stripe_charge_id, paid_at)
     select user_id, other.kind, case other.kind when 'refund' then -999 else -100 end, 'usd', payment_method, tier,
            stripe_charge_id, paid_at + interval '1 day'
       from payments, unnest(array['refund', 'correction']) as other (kind)
      where stripe_charge_id is not null and covers_to < now()`,
  )
  await client.query(
    `insert into receipts (number, payment_id, user_id, amount_cents, currency, payment_method, description, covers_from,
                           covers_to, recipient, issuer, issued_at)
     select row_number() over (order by p.paid_at, p.id), p.id, p.user_id, p.amount_cents, p.currency, p.payment_method,
            'Velour Premium, monthly', p.covers_from, p.covers_to, left($1, 300) || chr(10) || 'person@example.com',
            jsonb_build_object('invoice_name', $2::text, 'invoice_address', '1 Harbour Street' || chr(10) || 'Hamburg',
                               'invoice_tax_id', 'DE123456789', 'invoice_footer', 'Thank you.'),
            p.paid_at
       from payments p
      where p.kind = 'payment' and p.payment_method <> 'stripe' and p.user_id is not null`,
    [longName, 'A-seller-without-any-space-'.repeat(5)],
  )
  await client.query(
    'update receipt_counter set last_number = (select coalesce(max(number), 0) from receipts)',
  )
}
