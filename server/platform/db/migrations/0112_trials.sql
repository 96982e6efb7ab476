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
