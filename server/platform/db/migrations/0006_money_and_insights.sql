-- The ledger of money for good, what is still to be told to Stripe, and the owner's numbers by day.

-- Rows of the ledger outlive the person: the id stays, and names nobody any more once the profile is gone.
alter table payments drop constraint payments_user_id_fkey;
alter table payments
  add column kind text not null default 'payment' check (kind in ('payment', 'refund', 'correction')),
  -- Whose it is, where the person was not known yet when the money came.
  add column stripe_customer_id text check (length(stripe_customer_id) <= 255),
  -- Of a refund: the charge that was paid back.
  add column stripe_charge_id text check (length(stripe_charge_id) <= 255),
  -- The time that was paid for; null: paid once, for good or for an open end.
  add column covers_from timestamptz,
  add column covers_to timestamptz,
  add constraint payments_covers check ((covers_from is null) = (covers_to is null) and covers_from < covers_to),
  add constraint payments_sign check (kind = 'correction' or (kind = 'refund' and stripe_charge_id is not null)
    or (kind = 'payment') = (amount_cents > 0));
update payments
   set covers_from = paid_at,
       covers_to = paid_at + case tier when 'yearly' then interval '1 year' else interval '1 month' end
 where tier in ('monthly', 'yearly') and amount_cents > 0;
-- What it brings in a month, for the recurring revenue. A month has 2,629,800 seconds on average.
alter table payments add column monthly_cents numeric generated always as (
  amount_cents / greatest(1, round(extract(epoch from covers_to - covers_from) / 2629800))
) stored;
create index payments_covers_to on payments (covers_to) where kind = 'payment';
create index payments_charge on payments (stripe_charge_id) where stripe_charge_id is not null;
create index payments_customer on payments (stripe_customer_id) where stripe_customer_id is not null;
create index payments_created on payments (created_at);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger payments_append_only before update or delete on payments
  for each row execute function refuse_ledger_change();
create trigger payments_no_truncate before truncate on payments
  for each statement execute function refuse_ledger_change();

-- What was paid back at Stripe, as its events told: per refund, and per charge what all of its refunds
-- come to (then the id is the charge's). The ledger follows from it in whatever order they come.
create table stripe_refunds (
  id text not null check (length(id) between 1 and 255),
  is_simulated boolean not null default false,
  charge_id text not null check (length(charge_id) between 1 and 255),
  customer_id text check (length(customer_id) <= 255),
  invoice_id text check (length(invoice_id) <= 255),
  charge_cents bigint,
  charged_at timestamptz,
  refunded_cents bigint not null check (refunded_cents >= 0),
  is_failed boolean not null default false,
  event_at timestamptz not null,
  primary key (id, is_simulated)
);
create index stripe_refunds_charge on stripe_refunds (charge_id);
create index stripe_refunds_customer on stripe_refunds (customer_id);

-- An admin ended it, or gave something in its place: it says nothing about the person any more.
alter table stripe_subscriptions add column let_go boolean not null default false;

-- Customers who are to be deleted at Stripe, because the person was deleted here. Written in that
-- transaction and tried until Stripe has done it: nobody pays for an account that is gone.
create table stripe_closures (
  customer_id text primary key check (length(customer_id) between 1 and 255),
  tries integer not null default 0,
  try_after timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index stripe_closures_due on stripe_closures (try_after);

-- The owner's numbers, added up per day (UTC) by a job, so that no screen ever reads all plays.
create table insight_days (
  day date primary key,
  starts integer not null default 0,
  plays integer not null default 0,
  previews integer not null default 0,
  completed integer not null default 0,
  heard_seconds bigint not null default 0,
  -- Different people who played something on this day, and within the seven days that end with it.
  listeners integer not null default 0,
  listeners_7d integer not null default 0,
  sign_ups integer not null default 0
);

-- `left_at` counts whole plays by where they were left: 20 parts of the track, then those heard to the end.
create table track_days (
  day date not null,
  track_id uuid not null references tracks (id) on delete cascade,
  starts integer not null,
  plays integer not null,
  previews integer not null,
  completed integer not null,
  heard_seconds bigint not null,
  left_at integer[] not null check (cardinality(left_at) = 21),
  -- People who paid for the first time on this day, within a week of a preview of this track.
  conversions integer not null default 0,
  primary key (track_id, day)
);
create index track_days_day on track_days (day) include (track_id, starts, plays, previews, completed, conversions);

-- The same per whole month that is over, so that a year of many tracks is a short read.
create table track_months (
  month date not null check (extract(day from month) = 1),
  track_id uuid not null references tracks (id) on delete cascade,
  starts integer not null,
  plays integer not null,
  previews integer not null,
  completed integer not null,
  conversions integer not null,
  primary key (month, track_id)
);
create index track_months_track on track_months (track_id);

create table money_days (
  day date not null,
  currency text not null,
  revenue_cents bigint not null default 0,
  refunds_cents bigint not null default 0,
  -- At the end of the day: monthly worth of what is paid for then, people who pay it, and those who no longer do.
  mrr_cents bigint not null default 0,
  paying integer not null default 0,
  lost integer not null default 0,
  -- First payments ever, and those within a week of a preview.
  conversions integer not null default 0,
  preview_conversions integer not null default 0,
  primary key (day, currency)
);

-- How far the adding up is. What is reported or written after these moments is still to be added.
create table insight_state (
  id integer primary key default 1 check (id = 1),
  plays_until timestamptz,
  money_until timestamptz,
  rolled_at timestamptz,
  took_ms integer not null default 0
);
insert into insight_state default values;

-- Plays come in the order of time: these small indexes find a day's.
create index plays_started on plays using brin (started_at) with (pages_per_range = 32, autosummarize = on);
create index plays_reported on plays using brin (reported_at) with (pages_per_range = 32, autosummarize = on);
