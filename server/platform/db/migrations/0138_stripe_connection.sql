-- The Stripe account that the owner connected in the back office. STRIPE_SECRET_KEY comes first.
create table stripe_connection (
  id integer primary key default 1 check (id = 1),
  -- Empty: no key was entered here.
  key_sealed text not null default '',
  key_last4 text not null default '' check (length(key_last4) <= 4),
  is_live boolean not null default false,
  -- Null: unknown, because a restricted key may not read the account. Kept when the key is removed.
  account_id text check (length(account_id) between 1 and 255),
  account_name text check (length(account_name) between 1 and 200),
  -- Rights that the key does not have.
  missing_rights text[] not null default '{}',
  set_at timestamptz,
  -- Counts changes of the account. An id that was made in an earlier account is not stored any more.
  account_number integer not null default 1,
  -- Our endpoint at Stripe.
  webhook_id text check (length(webhook_id) between 1 and 255),
  webhook_url text check (length(webhook_url) between 1 and 2000),
  -- SHA-256 of its signing secret. The secret of the settings has another one after it was changed by hand.
  webhook_secret_hash text,
  webhook_failure text check (length(webhook_failure) between 1 and 1000),
  webhook_tried_at timestamptz,
  -- Makes idempotency keys.
  webhook_tries integer not null default 0
);
insert into stripe_connection default values;
