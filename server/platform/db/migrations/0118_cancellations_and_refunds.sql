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
