-- What members listened to, each time that a track began: for their history and the owner's numbers.

create table plays (
  -- Made by the player, so that a report sent twice is one play.
  id uuid primary key,
  user_id uuid not null references profiles (id) on delete cascade,
  track_id uuid not null references tracks (id) on delete cascade,
  is_preview boolean not null,
  started_at timestamptz not null,
  -- When the latest report came.
  reported_at timestamptz not null,
  -- Never more than the time that passed since the start.
  heard_seconds double precision not null default 0 check (heard_seconds >= 0),
  -- Where the listener was last: the place where they went on to something else.
  position_seconds double precision not null default 0 check (position_seconds >= 0),
  -- Of the file that played.
  duration_seconds double precision not null check (duration_seconds >= 0),
  -- Heard to the end.
  completed boolean not null default false,
  -- Since when it is a play in the numbers; null: too little was heard of it.
  counted_at timestamptz
);
create index plays_history on plays (user_id, reported_at desc);
create index plays_counting on plays (user_id, counted_at) where counted_at is not null;
create index plays_track on plays (track_id, counted_at) where counted_at is not null;
create index plays_counted on plays (counted_at) where counted_at is not null;
