-- Free trials of Stripe subscriptions, one per person and card, and how long a failed payment is waited for.

alter table settings
  -- 0: no trial.
  add column trial_days_monthly integer not null default 0 check (trial_days_monthly between 0 and 90),
  add column trial_days_yearly integer not null default 0 check (trial_days_yearly between 0 and 90),
  add column trial_needs_card boolean not null default true,
  add column grace_days integer not null default 7 check (grace_days between 0 and 30);

-- As Stripe reported it, also after the trial is over.
alter table stripe_subscriptions add column trial_ends_at timestamptz;
-- Null: the plan is not in a trial.
alter table subscriptions add column trial_ends_at timestamptz;

-- Who and what has had a trial, as hashes: they outlive the account, and name nobody.
create table used_trials (
  kind text not null check (kind in ('account', 'email', 'card')),
  hash text not null check (length(hash) = 64),
  -- Of the trial that came first.
  subscription_id text not null check (length(subscription_id) <= 255),
  created_at timestamptz not null default now(),
  primary key (kind, hash)
);

-- Invoices that could not be collected, until they are paid. Whether one still matters is the state of its subscription.
create table failed_payments (
  invoice_id text primary key check (length(invoice_id) between 1 and 255),
  subscription_id text not null references stripe_subscriptions (id) on delete cascade,
  reason text not null check (length(reason) <= 60),
  amount_cents bigint not null check (amount_cents >= 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- The invoice's page at Stripe.
  pay_url text check (length(pay_url) <= 2000),
  -- Of the newest try.
  failed_at timestamptz not null,
  -- When Stripe tries again; null: not by itself.
  next_try_at timestamptz,
  -- The member gets one mail for each invoice.
  is_mailed boolean not null default false
);
create index failed_payments_subscription on failed_payments (subscription_id);
