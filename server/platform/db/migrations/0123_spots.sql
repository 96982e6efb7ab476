-- Spots: messages of the owner between songs of free members, the rules of how often, and what was shown to whom.
create table spots (
  id uuid primary key default uuid_v7(),
  kind text not null check (kind in ('sound', 'card')),
  title text not null check (length(title) between 1 and 100),
  text text not null default '' check (length(text) <= 300),
  link_url text check (length(link_url) <= 500),
  link_label text not null default '' check (length(link_label) <= 40),
  picture_id uuid references images (id),
  is_on boolean not null default false,
  -- Null: no limit on that side.
  starts_at timestamptz,
  ends_at timestamptz,
  -- Ids of categories whose songs it follows. Empty: all songs.
  category_ids uuid[] not null default '{}' check (cardinality(category_ids) <= 50),
  -- The uploaded recording, until it is encoded.
  source_key text unique,
  processing_status text not null default 'ready'
    check (processing_status in ('processing', 'ready', 'failed')),
  processing_error text,
  -- What members hear. Stays while a new recording is being encoded.
  audio_key text unique,
  audio_bytes bigint,
  duration_seconds double precision,
  loudness_lufs double precision,
  true_peak_dbtp double precision,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (starts_at is null or ends_at is null or starts_at < ends_at),
  check ((audio_key is null) = (duration_seconds is null)),
  check (kind = 'sound' or (source_key is null and audio_key is null))
);
create index spots_picture_id on spots (picture_id);

-- One row: how often a member gets a spot, and whether Premium is offered where there is none.
create table spot_rules (
  id integer primary key default 1 check (id = 1),
  every_songs integer not null default 3 check (every_songs between 1 and 50),
  per_hour integer not null default 6 check (per_hour between 1 and 30),
  -- Seconds after which a sound can be skipped. Null: never.
  skip_after_seconds integer check (skip_after_seconds between 0 and 60),
  offers_premium boolean not null default true
);
insert into spot_rules default values;

-- Each time that a spot, or the offer of Premium, came up. The player makes the id, so that a report counts once.
create table spot_shows (
  id uuid primary key,
  -- Null: the offer of Premium.
  spot_id uuid references spots (id) on delete cascade,
  -- Null: the account was deleted. The figures stay.
  user_id uuid references profiles (id) on delete set null,
  started_at timestamptz not null,
  finished_at timestamptz,
  clicked_at timestamptz
);
create index spot_shows_of_person on spot_shows (user_id, started_at desc);
create index spot_shows_of_spot on spot_shows (spot_id);
