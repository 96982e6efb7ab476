-- The whole product's entities. Every rule that can be a constraint is one, so that no code path,
-- present or future, can write a wrong state.

create extension if not exists pg_trgm;

-- UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then random bits, so that keys sort by
-- creation and index pages stay warm. Own function because PostgreSQL only has uuidv7() from 18 on.
create function uuid_v7() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(
      set_bit(
        overlay(uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
          from 1 for 6),
        52, 1),
      53, 1),
    'hex')::uuid
$$;

-- Pictures: what a cover or an avatar was made into. Sizes and formats follow from the id.
create table images (
  id uuid primary key default uuid_v7(),
  kind text not null check (kind in ('cover', 'avatar')),
  tint text not null check (tint ~ '^#[0-9a-f]{6}$'),
  placeholder text not null check (placeholder like 'data:image/%' and length(placeholder) <= 2000),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  created_at timestamptz not null default now()
);

-- People. This is also the user table of the sign-in library, which knows only its own columns.
create table profiles (
  id uuid primary key default uuid_v7(),
  email text not null unique check (email = lower(email) and length(email) <= 320),
  email_verified boolean not null default false,
  display_name text not null default '' check (length(display_name) <= 100),
  avatar_url text,
  avatar_id uuid references images (id) on delete set null,
  two_factor_enabled boolean not null default false,
  subscription_tier text not null default 'free'
    check (subscription_tier in ('free', 'monthly', 'yearly', 'premium', 'lifetime', 'comped')),
  subscription_status text not null default 'inactive'
    check (subscription_status in ('active', 'inactive', 'pending', 'canceled', 'trialing')),
  subscription_ends_at timestamptz,
  banned_at timestamptz,
  -- When the person asked for the account to be deleted.
  deletion_requested_at timestamptz,
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index profiles_created_at on profiles (created_at desc, id desc);
create index profiles_email_trgm on profiles using gin (email gin_trgm_ops);
create index profiles_name_trgm on profiles using gin (lower(display_name) gin_trgm_ops);
create index profiles_deletions on profiles (deletion_requested_at)
  where deletion_requested_at is not null;
create index profiles_status on profiles (subscription_status, created_at desc, id desc);
create index profiles_ending on profiles (subscription_ends_at)
  where subscription_status = 'active' and subscription_ends_at is not null;

-- 'banned' is not stored here: it is the flag profiles.banned_at, so that lifting a ban restores the role.
create table user_roles (
  user_id uuid primary key references profiles (id) on delete cascade,
  role text not null default 'member' check (role in ('admin', 'editor', 'creator', 'member'))
);
create index user_roles_admins on user_roles (role) where role <> 'member';

create function give_member_role() returns trigger language plpgsql as $$
begin
  insert into user_roles (user_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger profiles_role after insert on profiles
  for each row execute function give_member_role();

-- Tables of the sign-in library.
create table sessions (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table accounts (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index accounts_user on accounts (user_id);

create table verifications (
  id uuid primary key default uuid_v7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

create table two_factors (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create index two_factors_secret on two_factors (secret);
create index two_factors_user on two_factors (user_id);

-- Tries counted in windows of a fixed length, shared by all instances. Keys are hashes: no addresses in clear.
create table rate_limits (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index rate_limits_expiry on rate_limits (resets_at);

-- A new password ends everything begun under the old one, in the same transaction: every session,
-- pending resets and half-done sign-ins. Whoever set it, by whichever code.
create function end_what_old_password_began() returns trigger language plpgsql as $$
begin
  delete from sessions where user_id = new.user_id;
  delete from verifications where value = new.user_id::text;
  return null;
end $$;
create trigger accounts_new_password after update of password on accounts
  for each row when (old.password is distinct from new.password)
  execute function end_what_old_password_began();

-- Instances remember for some seconds who a session belongs to and what that person may do. Whatever
-- changes that tells them so, at its commit; no code path can forget to.
create function tell_changed_person() returns trigger language plpgsql as $$
begin
  perform pg_notify('velour', 'sessions ' || (to_jsonb(old) ->> tg_argv[0]));
  return null;
end $$;
create trigger sessions_ended after delete on sessions
  for each row execute function tell_changed_person('user_id');
create trigger user_roles_changed after update or delete on user_roles
  for each row execute function tell_changed_person('user_id');
create trigger profiles_changed after update on profiles
  for each row when (
    (old.email, old.display_name, old.avatar_url, old.two_factor_enabled, old.banned_at,
     old.subscription_tier, old.subscription_status, old.subscription_ends_at)
    is distinct from
    (new.email, new.display_name, new.avatar_url, new.two_factor_enabled, new.banned_at,
     new.subscription_tier, new.subscription_status, new.subscription_ends_at)
  )
  execute function tell_changed_person('id');

-- Catalogue.
create table category_metadata (
  id uuid primary key default uuid_v7(),
  category text not null unique check (category ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(category) <= 80),
  display_name text not null check (length(btrim(display_name)) between 1 and 120),
  description text check (length(description) <= 2000),
  cover_id uuid references images (id) on delete set null,
  is_visible boolean not null default true,
  sort_order integer not null default 0,
  created_at timestamptz not null default now()
);
create index category_metadata_order on category_metadata (sort_order, display_name);

create table genres (
  id uuid primary key default uuid_v7(),
  name text not null unique check (length(btrim(name)) between 1 and 80)
);
create unique index genres_name_folded on genres (lower(name));

create table tracks (
  id uuid primary key default uuid_v7(),
  title text not null check (length(btrim(title)) between 1 and 200),
  artist text not null check (length(btrim(artist)) between 1 and 200),
  category text references category_metadata (category) on update cascade on delete set null,
  genre text references genres (name) on update cascade on delete restrict,
  description text check (length(description) <= 5000),
  lyrics text check (length(lyrics) <= 50000),
  tags text[] not null default '{}' check (cardinality(tags) <= 30),
  explicit boolean not null default false,
  cover_id uuid references images (id) on delete set null,
  is_published boolean not null default false,
  -- Asked for while the file was still being processed; the pipeline carries it out.
  publish_when_ready boolean not null default false,
  duration integer not null default 0 check (duration >= 0),
  ai_disclosure text not null default 'ai_generated'
    check (ai_disclosure in ('human', 'ai_assisted', 'ai_generated')),
  ai_tool text check (length(ai_tool) <= 200),
  credits text check (length(credits) <= 2000),
  -- What the pipeline measured: EBU R128 integrated loudness, true peak, and the waveform.
  loudness_lufs real,
  true_peak_dbtp real,
  peaks bytea,
  processing_status text not null default 'pending'
    check (processing_status in ('pending', 'processing', 'ready', 'failed')),
  processing_progress real not null default 0 check (processing_progress between 0 and 1),
  processing_error text,
  -- The uploaded original, kept so that previews and renditions can be made again. Never streamed.
  source_key text unique,
  source_mime text,
  source_bytes bigint check (source_bytes > 0),
  source_sha256 text check (source_sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- One field for the substring search on title, artist, category and genre. The unit separator
  -- keeps a query from matching across two fields.
  search_text text not null generated always as (
    lower(title || e'\x1f' || artist || e'\x1f' || coalesce(category, '') || e'\x1f' || coalesce(genre, ''))
  ) stored,
  -- Only music that exists can be published.
  constraint tracks_published_is_ready check (not is_published or processing_status = 'ready')
);
create index tracks_published_newest on tracks (created_at desc, id desc) where is_published;
create index tracks_published_title on tracks (lower(title), id) where is_published;
create index tracks_newest on tracks (created_at desc, id desc);
create index tracks_category on tracks (category, created_at desc, id desc);
create index tracks_genre on tracks (genre);
create index tracks_search on tracks using gin (search_text gin_trgm_ops);
create index tracks_source_sha256 on tracks (source_sha256);
-- The few that members must not see: counting a long playlist subtracts them instead of visiting every track.
create index tracks_unpublished on tracks (id) where not is_published;

create table renditions (
  id uuid primary key default uuid_v7(),
  track_id uuid not null references tracks (id) on delete cascade,
  kind text not null check (kind in ('standard', 'high', 'preview')),
  storage_key text not null unique,
  mime text not null,
  byte_size bigint not null check (byte_size > 0),
  duration_seconds double precision not null check (duration_seconds > 0),
  etag text not null,
  -- For previews: the setting it was cut with, so that a changed setting finds what to cut again.
  preview_length_seconds integer check ((kind = 'preview') = (preview_length_seconds is not null)),
  created_at timestamptz not null default now(),
  unique (track_id, kind)
);

create table playlists (
  id uuid primary key default uuid_v7(),
  title text not null check (length(btrim(title)) between 1 and 200),
  description text check (length(description) <= 2000),
  cover_id uuid references images (id) on delete set null,
  is_public boolean not null default false,
  is_curated boolean not null default false,
  is_visible boolean not null default true,
  created_by uuid references profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A member's playlist always has its member; a curated one outlives the admin who made it.
  constraint playlists_have_owner check (is_curated or created_by is not null)
);
create index playlists_owner on playlists (created_by, created_at desc, id desc) where not is_curated;
create index playlists_curated on playlists (created_at desc, id desc) where is_curated;
create index playlists_public on playlists (created_at desc, id desc) where is_public and not is_curated;

create table playlist_tracks (
  id uuid primary key default uuid_v7(),
  playlist_id uuid not null references playlists (id) on delete cascade,
  track_id uuid not null references tracks (id) on delete cascade,
  order_index integer not null check (order_index >= 0),
  created_at timestamptz not null default now(),
  constraint playlist_tracks_once unique (playlist_id, track_id),
  -- Deferred so that one statement may swap places.
  constraint playlist_tracks_place unique (playlist_id, order_index) deferrable initially deferred
);
create index playlist_tracks_track on playlist_tracks (track_id);

-- The order of a playlist is 0, 1, 2 … without holes, whatever removed a row (a member, an admin,
-- or the cascade of a deleted track).
create function close_playlist_gaps() returns trigger language plpgsql as $$
begin
  -- Whoever appends right now counts the removed rows still: wait for them, so that the update sees their row.
  perform from playlists where id in (select playlist_id from removed) order by id for no key update;
  update playlist_tracks p
     set order_index = n.place
    from (
      select id, row_number() over (partition by playlist_id order by order_index) - 1 as place
        from playlist_tracks
       where playlist_id in (select playlist_id from removed)
    ) n
   where p.id = n.id and p.order_index <> n.place;
  return null;
end $$;
create trigger playlist_tracks_gaps after delete on playlist_tracks
  referencing old table as removed
  for each statement execute function close_playlist_gaps();

create function check_playlist_order() returns trigger language plpgsql as $$
begin
  if exists (
    select from playlist_tracks
     where playlist_id in (select playlist_id from changed)
     group by playlist_id
    having min(order_index) <> 0 or max(order_index) <> count(*) - 1
  ) then
    raise exception 'playlist order has holes' using errcode = 'check_violation', constraint = 'playlist_tracks_contiguous';
  end if;
  return null;
end $$;
create trigger playlist_tracks_order_insert after insert on playlist_tracks
  referencing new table as changed
  for each statement execute function check_playlist_order();
create trigger playlist_tracks_order_update after update on playlist_tracks
  referencing new table as changed
  for each statement execute function check_playlist_order();

create table likes (
  user_id uuid not null references profiles (id) on delete cascade,
  track_id uuid not null references tracks (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, track_id)
);
create index likes_newest on likes (user_id, created_at desc);
create index likes_track on likes (track_id);

-- Billing facts beside the tier and status of the profile, which alone decide what a person may do.
create table subscriptions (
  user_id uuid primary key references profiles (id) on delete cascade,
  payment_method text check (payment_method in ('cash', 'check', 'cashapp', 'zelle', 'other', 'stripe')),
  is_manual boolean not null default true,
  starts_at timestamptz,
  notes text check (length(notes) <= 2000),
  stripe_customer_id text unique,
  stripe_subscription_id text unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table settings (
  id integer primary key default 1 check (id = 1),
  preview_length_seconds integer not null default 45 check (preview_length_seconds between 1 and 600),
  maintenance_mode boolean not null default false,
  pricing_monthly_cents integer not null default 999 check (pricing_monthly_cents >= 0),
  pricing_yearly_cents integer not null default 9999 check (pricing_yearly_cents >= 0),
  stripe_price_monthly text not null default '',
  stripe_price_yearly text not null default '',
  stripe_webhook_secret text not null default '',
  updated_at timestamptz
);
insert into settings default values;

create table audit_log (
  id uuid primary key default uuid_v7(),
  -- No foreign key: the trail outlives the people in it.
  actor_id uuid,
  action text not null check (length(action) between 1 and 60),
  entity text not null check (length(entity) between 1 and 60),
  entity_id text check (length(entity_id) <= 200),
  before jsonb,
  after jsonb,
  ip_address text,
  created_at timestamptz not null default now()
);
create index audit_log_newest on audit_log (created_at desc, id desc);
create index audit_log_actor on audit_log (actor_id, created_at desc);
create index audit_log_entity on audit_log (entity, action, created_at desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();

-- A permission to bring one file of one kind and size to one place, once.
create table uploads (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  bucket text not null check (bucket in ('audio', 'covers')),
  -- The storage key that the file gets when the upload is complete.
  path text not null unique,
  filename text not null check (length(filename) between 1 and 255),
  mime text not null,
  byte_size bigint check (byte_size > 0),
  status text not null default 'open' check (status in ('open', 'complete', 'used')),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  token_hash text not null unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index uploads_expiry on uploads (expires_at);

-- Storage keys whose row is gone or never came. A row here is written in the same transaction that
-- drops or creates the owner, and a job deletes the object: nothing is orphaned by a kill.
create table storage_garbage (
  storage_key text primary key,
  -- Not before this moment: a file on its way to being owned is listed here until its row commits.
  delete_after timestamptz not null default now()
);
create index storage_garbage_due on storage_garbage (delete_after);

-- How far the demo catalogue is, so that a killed first run goes on where it was, and what an admin
-- deleted does not come back.
create table demo_steps (
  step text primary key,
  -- Of a track: the upload that it is made from.
  upload_path text,
  track_id uuid references tracks (id) on delete set null,
  done_at timestamptz
);
