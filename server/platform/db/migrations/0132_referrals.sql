-- Members who bring friends: links, who joined with them, and the months that both get.

alter table settings
  -- Months of Premium for both. 0: off.
  add column referral_months integer not null default 0 check (referral_months between 0 and 12),
  -- How many friends earn a member something, in a year.
  add column referral_yearly_limit integer not null default 12 check (referral_yearly_limit between 1 and 1000),
  -- Days between the payment of the friend and the reward.
  add column referral_wait_days integer not null default 14 check (referral_wait_days between 0 and 90);

create table referral_links (
  user_id uuid primary key references profiles (id) on delete cascade,
  code text not null unique check (code ~ '^[0-9a-z]{10}$'),
  created_at timestamptz not null default now()
);

create table referrals (
  id uuid primary key default uuid_v7(),
  referrer_id uuid references profiles (id) on delete set null,
  -- A person joins once.
  friend_id uuid unique references profiles (id) on delete set null,
  -- SHA-256 of the friend's address. It outlives the account, so that nobody joins twice.
  address_hash text not null unique check (address_hash ~ '^[0-9a-f]{64}$'),
  -- What was promised when the friend joined.
  months integer not null check (months between 1 and 12),
  state text not null default 'joined' check (state in ('joined', 'paid', 'rewarded', 'void')),
  void_reason text check (void_reason in ('refunded', 'same_card', 'account_deleted', 'by_admin')),
  joined_at timestamptz not null default now(),
  paid_at timestamptz,
  -- When the reward is due.
  due_at timestamptz,
  -- When the cards are looked at again, because Stripe did not answer.
  try_after timestamptz,
  -- SHA-256 of the fingerprint of the friend's card: a card earns once.
  card_hash text unique check (card_hash ~ '^[0-9a-f]{64}$'),
  settled_at timestamptz,
  check ((state = 'void') = (void_reason is not null)),
  check ((paid_at is null) = (due_at is null))
);
create index referrals_referrer on referrals (referrer_id, joined_at desc);
create index referrals_joined on referrals (joined_at desc, id desc);
create index referrals_state on referrals (state, joined_at desc);
create index referrals_due on referrals (due_at) where state = 'paid';
create index referrals_paid on referrals (paid_at) where paid_at is not null;

create table referral_rewards (
  id uuid primary key default uuid_v7(),
  referral_id uuid not null references referrals (id) on delete cascade,
  user_id uuid references profiles (id) on delete set null,
  side text not null check (side in ('referrer', 'friend')),
  months integer not null check (months between 1 and 12),
  -- ending: it is being taken back. over_limit: the member had as many as a year allows.
  state text not null default 'waiting' check (state in ('waiting', 'given', 'ending', 'ended', 'over_limit')),
  -- How it was given: off the next payments at Stripe, or as time. Null: not yet.
  way text check (way in ('coupon', 'months')),
  subscription_id text check (length(subscription_id) <= 255),
  plan_from timestamptz,
  plan_to timestamptz,
  tries integer not null default 0,
  try_after timestamptz not null default now(),
  created_at timestamptz not null default now(),
  given_at timestamptz,
  unique (referral_id, side),
  check ((plan_from is null) = (plan_to is null)),
  check ((way is null) = (given_at is null))
);
create index referral_rewards_user on referral_rewards (user_id, created_at desc);
create index referral_rewards_due on referral_rewards (try_after) where state in ('waiting', 'ending');

-- Few payments are refunds, and each may take a reward back.
create index payments_refunds_of_person on payments (user_id) where amount_cents < 0;
