-- Browsers that a person has signed in with, as their names say: a sign-in with another one is reported to them by mail.

create table known_devices (
  user_id uuid not null references profiles (id) on delete cascade,
  -- 'Firefox on Windows'.
  name text not null check (length(name) between 1 and 100),
  first_seen_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (user_id, name)
);
