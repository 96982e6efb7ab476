-- Invitations to create an account, one per address. Accepting or revoking one deletes its row.
create table invitations (
  id uuid primary key default uuid_v7(),
  email text not null unique check (email = lower(email) and length(email) between 3 and 320),
  display_name text not null default '' check (length(display_name) <= 100),
  role text not null default 'member' check (role in ('admin', 'editor', 'creator', 'member')),
  subscription_tier text not null default 'free'
    check (subscription_tier in ('free', 'monthly', 'yearly', 'premium', 'lifetime', 'comped')),
  -- SHA-256 of the token: it is random, so a slow hash would add nothing. Null: no mail was sent yet.
  token_hash text unique check (token_hash ~ '^[0-9a-f]{64}$'),
  sent_at timestamptz,
  -- While no mail was sent, when it is given up.
  expires_at timestamptz not null,
  invited_by uuid references profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  check ((token_hash is null) = (sent_at is null))
);
create index invitations_created_at on invitations (created_at desc, id desc);
create index invitations_invited_by on invitations (invited_by);
create index invitations_waiting on invitations (created_at, id) where sent_at is null;
