-- Prices that this service makes at Stripe, and their changes for members who pay already.

alter table settings
  -- ISO 4217, lower case. Of prices and manual payments.
  add column currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
  add column tax_mode text not null default 'off' check (tax_mode in ('off', 'stripe_tax', 'managed'));

-- A monthly and a yearly price, made together at Stripe.
create table price_sets (
  id uuid primary key default uuid_v7(),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  monthly_cents bigint not null check (monthly_cents > 0),
  yearly_cents bigint not null check (yearly_cents > 0),
  -- making: at Stripe. made: in use, older ones are still to be archived. done. replaced: another set came first.
  state text not null default 'making' check (state in ('making', 'made', 'done', 'refused', 'replaced')),
  -- Stripe's price ids.
  price_monthly text check (length(price_monthly) <= 255),
  price_yearly text check (length(price_yearly) <= 255),
  -- Why Stripe refused it, in Stripe's words.
  failure text check (length(failure) <= 1000),
  -- When existing members change to it. Null: they keep their price.
  effective_at timestamptz,
  requested_by uuid references profiles (id) on delete set null,
  tries integer not null default 0,
  try_after timestamptz not null default now(),
  created_at timestamptz not null default now(),
  check ((state = 'refused') = (failure is not null))
);
create unique index price_sets_making on price_sets ((true)) where state = 'making';
create index price_sets_due on price_sets (try_after) where state in ('making', 'made');
create index price_sets_requested_by on price_sets (requested_by);

-- Price ids that were in the settings: their events belong to this service after a change too.
create table known_prices (
  price_id text primary key check (length(price_id) between 1 and 255),
  plan text not null check (plan in ('monthly', 'yearly'))
);
insert into known_prices (price_id, plan)
  select stripe_price_monthly, 'monthly' from settings where stripe_price_monthly <> ''
  union all
  select stripe_price_yearly, 'yearly' from settings
   where stripe_price_yearly not in ('', stripe_price_monthly);

create function remember_prices() returns trigger language plpgsql as $$
begin
  insert into known_prices (price_id, plan)
    select id, plan from (values (new.stripe_price_monthly, 'monthly'), (new.stripe_price_yearly, 'yearly')) v (id, plan)
     where id <> ''
    on conflict do nothing;
  return null;
end $$;
create trigger settings_remember_prices after update of stripe_price_monthly, stripe_price_yearly on settings
  for each row execute function remember_prices();

-- A new price for members who pay already, after notice.
create table price_changes (
  id uuid primary key references price_sets (id),
  effective_at timestamptz not null,
  -- announcing: members get the mail. announced. running: the date has come. done. called_off.
  state text not null default 'announcing'
    check (state in ('announcing', 'announced', 'running', 'done', 'called_off')),
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create unique index price_changes_open on price_changes ((true))
  where state in ('announcing', 'announced', 'running');

create table price_change_members (
  change_id uuid not null references price_changes (id),
  subscription_id text not null references stripe_subscriptions (id) on delete cascade,
  old_cents bigint not null,
  new_cents bigint not null,
  -- The first day of the new price: the renewal on or after the date of the change.
  applies_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'moved', 'left', 'refused')),
  -- Why Stripe refused it, in Stripe's words.
  failure text check (length(failure) <= 1000),
  tries integer not null default 0,
  try_after timestamptz not null default now(),
  primary key (change_id, subscription_id)
);
create index price_change_members_due on price_change_members (try_after) where state = 'waiting';
create index price_change_members_subscription on price_change_members (subscription_id);
