-- Premium as a gift: bought once, redeemed once. No subscription at Stripe is behind it.
create table gifts (
  id uuid primary key default uuid_v7(),
  -- SHA-256 of the code: it is random, so a slow hash would add nothing. Null: not paid yet.
  code_hash text unique check (code_hash ~ '^[0-9a-f]{64}$'),
  -- The code, encrypted with SECRET, for the buyer and the mail.
  code_sealed text,
  buyer_id uuid references profiles (id) on delete set null,
  months integer not null check (months in (1, 3, 12)),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  from_name text not null check (length(from_name) <= 100),
  -- Null: the buyer hands the code over.
  recipient_email text check (length(recipient_email) between 3 and 320),
  message text not null default '' check (length(message) <= 500),
  -- When the mail is due.
  send_at timestamptz,
  sent_at timestamptz,
  payment_intent text unique check (length(payment_intent) <= 255),
  paid_at timestamptz,
  redeemed_by uuid references profiles (id) on delete set null,
  redeemed_at timestamptz,
  -- The time that it gave. Null: it starts when the plan of the person has ended.
  plan_from timestamptz,
  plan_to timestamptz,
  refunded_at timestamptz,
  created_at timestamptz not null default now(),
  check ((paid_at is null) = (code_hash is null)),
  check ((code_hash is null) = (code_sealed is null)),
  check ((recipient_email is null) = (send_at is null)),
  check ((plan_from is null) = (plan_to is null)),
  check (redeemed_at is null or paid_at is not null)
);
create index gifts_buyer on gifts (buyer_id, created_at desc);
create index gifts_redeemed_by on gifts (redeemed_by);
create index gifts_due on gifts (send_at) where sent_at is null and paid_at is not null;
create index gifts_waiting on gifts (redeemed_at)
  where redeemed_at is not null and plan_from is null and refunded_at is null;
create index gifts_unpaid on gifts (created_at) where paid_at is null;
