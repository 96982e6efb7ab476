-- What tracks are compared by, which tracks are similar, and the mixes that are made of it.

-- A null vector: the recording is silent or can't be read. Measured again when the version changes.
create table track_sounds (
  track_id uuid primary key references tracks on delete cascade,
  version smallint not null,
  vector bytea,
  tempo real,
  tempo_confidence real not null default 0,
  key smallint check (key between 0 and 11),
  is_minor boolean not null default false,
  loudness_range real,
  measured_at timestamptz not null default now()
);

-- Words of a published track as hashes and weights, so that comparing all tracks reads no lyrics.
create table track_words (
  track_id uuid primary key references tracks on delete cascade,
  words bytea not null
);

-- The most similar tracks, best first. The arrays have the same length. Rows may name tracks that were unpublished since;
-- whoever reads them joins published tracks.
create table track_neighbours (
  track_id uuid primary key references tracks on delete cascade,
  neighbour_ids uuid[] not null,
  scores real[] not null,
  -- What counted most: 1 words, 2 sound, 3 listened to together.
  signals smallint[] not null,
  computed_at timestamptz not null default now()
);
create index track_neighbours_oldest on track_neighbours (computed_at);

-- Tracks to compare again. Written by triggers, so that no code path can forget it; emptied by a job.
create table neighbour_updates (
  track_id uuid primary key,
  changed_at timestamptz not null default clock_timestamp()
);

create function update_neighbours_of_track() returns trigger language plpgsql as $$
begin
  insert into neighbour_updates (track_id) values (new.id)
    on conflict (track_id) do update set changed_at = clock_timestamp();
  return null;
end $$;
create trigger tracks_compared after insert on tracks
  for each row when (new.is_published)
  execute function update_neighbours_of_track();
create trigger tracks_compared_again after update on tracks
  for each row when (
    (old.is_published or new.is_published)
    and (old.is_published, old.title, old.artist, old.category, old.genre, old.description, old.tags, old.lyrics)
        is distinct from
        (new.is_published, new.title, new.artist, new.category, new.genre, new.description, new.tags, new.lyrics)
  )
  execute function update_neighbours_of_track();

create function update_neighbours_of_sound() returns trigger language plpgsql as $$
begin
  insert into neighbour_updates (track_id) select id from tracks where id = new.track_id and is_published
    on conflict (track_id) do update set changed_at = clock_timestamp();
  return null;
end $$;
create trigger track_sounds_compared after insert or update on track_sounds
  for each row execute function update_neighbours_of_sound();

insert into neighbour_updates (track_id) select id from tracks where is_published;

-- Mixes of a person for one day (UTC), made when they are first asked for.
create table daily_mixes (
  user_id uuid not null references profiles on delete cascade,
  day date not null,
  position smallint not null,
  title text not null,
  seed_ids uuid[] not null,
  track_ids uuid[] not null,
  primary key (user_id, day, position)
);
create index daily_mixes_day on daily_mixes (day);
