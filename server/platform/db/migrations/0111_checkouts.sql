-- The payment page that a member has open, and what is still to be done at Stripe.

create table stripe_checkouts (
  user_id uuid primary key references profiles (id) on delete cascade,
  -- Idempotency key of the request that opens the page.
  request_key uuid not null,
  -- Hash of that request: another offer needs another page.
  offer text not null,
  -- Null until Stripe has answered.
  session_id text check (length(session_id) <= 255),
  -- An earlier page that may still be open. Null as soon as there is a session.
  replaces text check (length(replaces) <= 255),
  created_at timestamptz not null default now()
);

-- The purchase was made on a page that this service opened.
alter table stripe_subscriptions add column bought_here boolean not null default false;

create table stripe_tasks (
  subscription_id text not null references stripe_subscriptions (id) on delete cascade,
  -- refund_duplicate follows cancel_duplicate.
  task text not null
    check (task in ('cancel_duplicate', 'refund_duplicate', 'check_trial', 'pause_banned')),
  tries integer not null default 0,
  try_after timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (subscription_id, task)
);
create index stripe_tasks_due on stripe_tasks (try_after);
