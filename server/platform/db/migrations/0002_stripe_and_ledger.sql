-- Stripe's subscriptions as its events told them, every event once, and the ledger of money that came in.

-- One row per subscription at Stripe. What a person may do stays in profiles; it is derived from these
-- rows, so that the end of an old subscription never ends a newer one.
create table stripe_subscriptions (
  id text primary key check (length(id) between 1 and 255),
  -- Null until an event says whose it is.
  user_id uuid references profiles (id) on delete cascade,
  customer_id text check (length(customer_id) <= 255),
  -- Stripe's own word; null until an event told it.
  status text check (length(status) <= 60),
  tier text check (tier in ('monthly', 'yearly', 'premium')),
  started_at timestamptz,
  -- To when it is paid for.
  ends_at timestamptz,
  -- It ends then, because somebody canceled it.
  cancels boolean not null default false,
  -- Time and rank of the newest event that was applied: older ones change nothing.
  event_at timestamptz,
  event_rank integer not null default 0,
  -- That event was only tried out by an admin; any real one goes before it.
  event_is_simulated boolean not null default false,
  created_at timestamptz not null default now()
);
create index stripe_subscriptions_user on stripe_subscriptions (user_id);
create index stripe_subscriptions_customer on stripe_subscriptions (customer_id);

create table billing_events (
  id uuid primary key default uuid_v7(),
  event_id text not null check (length(event_id) between 1 and 255),
  is_simulated boolean not null default false,
  type text not null check (length(type) between 1 and 255),
  -- The subscription at Stripe that it is about.
  subscription_id text,
  user_id uuid references profiles (id) on delete set null,
  outcome text not null check (outcome in ('applied', 'outdated', 'ignored')),
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  -- What an admin tries out must not keep the real event of that name from being heard.
  unique (event_id, is_simulated)
);
create index billing_events_user on billing_events (user_id);
create index billing_events_newest on billing_events (received_at desc);

-- Money that came in, whoever took it. Rows outlive the person who paid.
create table payments (
  id uuid primary key default uuid_v7(),
  user_id uuid references profiles (id) on delete set null,
  -- Negative: paid back.
  amount_cents bigint not null check (amount_cents <> 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  payment_method text not null
    check (payment_method in ('cash', 'check', 'cashapp', 'zelle', 'other', 'stripe')),
  tier text check (tier in ('free', 'monthly', 'yearly', 'premium', 'lifetime', 'comped')),
  stripe_invoice_id text check (length(stripe_invoice_id) <= 255),
  -- Tried out by an admin: no money.
  is_simulated boolean not null default false,
  paid_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (stripe_invoice_id, is_simulated)
);
create index payments_paid_at on payments (paid_at);
create index payments_user on payments (user_id, paid_at desc);

-- Until when a renewal that Stripe still tries to collect is waited for; null: the end date is the end.
alter table subscriptions add column grace_until timestamptz;
