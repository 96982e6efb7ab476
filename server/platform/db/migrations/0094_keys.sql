-- Ways into an account besides the sign-in: device keys for apps, access tokens for programs. Deleting the row revokes it.

create table device_keys (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  -- SHA-256 of the key: it is random, so a slow hash would add nothing.
  key_hash text not null unique check (key_hash ~ '^[0-9a-f]{64}$'),
  -- Encrypted with SECRET: apps that send md5(key + salt) can only be checked with the key itself.
  key_sealed text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- What the app calls itself, and its network without the last part of the address.
  last_client text check (length(last_client) <= 100),
  last_network text check (length(last_network) <= 60)
);
create index device_keys_user on device_keys (user_id);

create table access_tokens (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  scopes text[] not null
    check (cardinality(scopes) > 0 and scopes <@ array['read', 'library', 'admin']),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_network text check (length(last_network) <= 60)
);
create index access_tokens_user on access_tokens (user_id);
create index access_tokens_expiry on access_tokens (expires_at);

-- Instances cache who a key or token belongs to, and check running streams again.
create trigger device_keys_ended after delete on device_keys
  for each row execute function tell_changed_person('user_id');
create trigger access_tokens_ended after delete on access_tokens
  for each row execute function tell_changed_person('user_id');

-- Whoever knew the old password may have made some.
create function end_keys_of_old_password() returns trigger language plpgsql as $$
begin
  delete from device_keys where user_id = new.user_id;
  delete from access_tokens where user_id = new.user_id;
  return null;
end $$;
create trigger accounts_new_password_keys after update of password on accounts
  for each row when (old.password is distinct from new.password)
  execute function end_keys_of_old_password();

-- The name of the access token that an entry was made with. Null: in the browser.
alter table audit_log add column token_name text check (length(token_name) <= 60);

-- What apps of the Subsonic kind keep on the server and Velour's own screens do not have: ratings, likes of artists, and the
-- queue that moves from one app to the next. `item_id` is the id of a track, a release or an artist; ids are never equal.
create table app_ratings (
  user_id uuid not null references profiles (id) on delete cascade,
  item_id uuid not null,
  rating smallint not null check (rating between 1 and 5),
  primary key (user_id, item_id)
);

create table artist_likes (
  user_id uuid not null references profiles (id) on delete cascade,
  artist_id uuid not null references artists (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, artist_id)
);
create index artist_likes_artist on artist_likes (artist_id);

create table app_queues (
  user_id uuid primary key references profiles (id) on delete cascade,
  track_ids uuid[] not null check (cardinality(track_ids) <= 10000),
  current_index integer not null check (current_index >= 0),
  position_ms bigint not null check (position_ms >= 0),
  changed_by text not null check (length(changed_by) <= 100),
  changed_at timestamptz not null default now()
);
