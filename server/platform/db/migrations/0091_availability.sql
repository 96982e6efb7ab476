-- When and for whom tracks and curated playlists can be heard. What is scheduled is unpublished until a worker publishes
-- it, so every query that leaves out what is unpublished leaves it out, too.
alter table tracks
  -- Published at this moment; null once it is.
  add column release_at timestamptz,
  -- The IANA name of the zone in which an admin typed the moment.
  add column release_zone text check (length(release_zone) <= 64)
    check (release_at is null or coalesce(release_zone, '') <> ''),
  add column early_access_days integer not null default 0 check (early_access_days between 0 and 365),
  -- Set when a row with early access days is published.
  add column early_access_until timestamptz,
  add column audience text not null default 'members' check (audience in ('members', 'premium'));
alter table playlists
  add column release_at timestamptz,
  add column release_zone text check (length(release_zone) <= 64)
    check (release_at is null or coalesce(release_zone, '') <> ''),
  add column early_access_days integer not null default 0 check (early_access_days between 0 and 365),
  add column early_access_until timestamptz,
  add column audience text not null default 'members' check (audience in ('members', 'premium'));

-- Workers look for what is due every few seconds.
create index tracks_scheduled on tracks (release_at) where release_at is not null;
create index playlists_scheduled on playlists (release_at) where release_at is not null;

create or replace trigger tracks_listed_otherwise after update on tracks
  for each row when (
    (old.is_published or new.is_published)
    and (old.is_published, old.title, old.artist, old.category, old.genre, old.description, old.tags, old.explicit,
         old.cover_id, old.duration, old.loudness_lufs, old.true_peak_dbtp, old.ai_disclosure, old.ai_tool,
         old.lyrics is null, old.created_at, old.audience, old.early_access_until)
        is distinct from
        (new.is_published, new.title, new.artist, new.category, new.genre, new.description, new.tags, new.explicit,
         new.cover_id, new.duration, new.loudness_lufs, new.true_peak_dbtp, new.ai_disclosure, new.ai_tool,
         new.lyrics is null, new.created_at, new.audience, new.early_access_until)
  )
  execute function tell_of_catalogue();

create or replace trigger tracks_version before update on tracks for each row
  when (
    old.deleted_at is not distinct from new.deleted_at
    and (old.title, old.artist, old.category, old.genre, old.description, old.lyrics, old.tags, old.explicit, old.cover_id,
         old.is_published or old.publish_when_ready, old.ai_disclosure, old.ai_tool, old.credits, old.source_key,
         old.release_at, old.release_zone, old.early_access_days, old.audience)
    is distinct from
    (new.title, new.artist, new.category, new.genre, new.description, new.lyrics, new.tags, new.explicit, new.cover_id,
     new.is_published or new.publish_when_ready, new.ai_disclosure, new.ai_tool, new.credits, new.source_key,
     new.release_at, new.release_zone, new.early_access_days, new.audience)
  ) execute function count_version();

create or replace trigger playlists_version before update on playlists for each row
  when (
    (old.title, old.description, old.cover_id, old.is_public, old.is_curated, old.is_visible,
     old.release_at, old.release_zone, old.early_access_days, old.audience)
    is distinct from
    (new.title, new.description, new.cover_id, new.is_public, new.is_curated, new.is_visible,
     new.release_at, new.release_zone, new.early_access_days, new.audience)
  ) execute function count_version();
