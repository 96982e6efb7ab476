-- Why members cancel, offers to stay, and mails about plans, each of which is sent once.

alter table stripe_subscriptions
  -- Null: it renews, or ended without being canceled.
  add column cancel_asked_at timestamptz,
  -- cancellation_details of Stripe.
  add column cancel_reason text check (length(cancel_reason) <= 60),
  add column cancel_feedback text check (length(cancel_feedback) <= 60),
  add column cancel_comment text check (length(cancel_comment) <= 2000),
  -- When the member accepted the offer to stay.
  add column retained_at timestamptz;
create index stripe_subscriptions_canceled on stripe_subscriptions (cancel_asked_at desc)
  where cancel_asked_at is not null;

alter table settings
  -- 0: no offer to stay.
  add column retention_percent integer not null default 0 check (retention_percent between 0 and 100),
  add column retention_months integer not null default 3 check (retention_months between 1 and 24);

create table billing_notices (
  kind text not null check (length(kind) between 1 and 60),
  -- What it is about: an invoice, a card, or a plan and its end.
  key text not null check (length(key) between 1 and 600),
  sent_at timestamptz not null default now(),
  primary key (kind, key)
);
create index billing_notices_sent_at on billing_notices (sent_at);

alter table payments
  -- Of a refund, the payment that it pays back. Null: not known.
  add column refund_of uuid,
  -- Of payments without an invoice.
  add column stripe_payment_intent text check (length(stripe_payment_intent) <= 255);
create index payments_refund_of on payments (refund_of) where refund_of is not null;
create unique index payments_intent on payments (stripe_payment_intent, is_simulated)
  where stripe_payment_intent is not null;
alter table stripe_refunds add column payment_intent text check (length(payment_intent) <= 255);

-- Refunds that admins asked for, or that follow from a second subscription. The ledger follows from Stripe's events.
create table refund_requests (
  id uuid primary key default uuid_v7(),
  -- Null: the payment is not in the ledger.
  payment_id uuid,
  user_id uuid references profiles (id) on delete set null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  reason text not null check (reason in ('requested_by_customer', 'duplicate', 'fraudulent')),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  -- Why Stripe refused it.
  failure text check (length(failure) <= 60),
  stripe_refund_id text unique check (length(stripe_refund_id) <= 255),
  requested_by uuid references profiles (id) on delete set null,
  tries integer not null default 0,
  try_after timestamptz not null default now(),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((state = 'refused') = (failure is not null)),
  check ((state = 'waiting') = (settled_at is null))
);
create index refund_requests_due on refund_requests (try_after) where state = 'waiting';
create index refund_requests_payment on refund_requests (payment_id);
create index refund_requests_user on refund_requests (user_id);
create index refund_requests_requested_by on refund_requests (requested_by);
