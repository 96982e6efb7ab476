-- What several people edit carries a version, so that nobody saves over a change they have not seen. It counts changes of
-- what people edit, in the columns that the triggers name, and nothing else.
alter table tracks
  add column version integer not null default 1,
  -- No foreign key, as in audit_log: deleting a person must not search these tables.
  add column changed_by uuid,
  add column changed_at timestamptz;
alter table category_metadata
  add column version integer not null default 1,
  add column changed_by uuid,
  add column changed_at timestamptz;
alter table playlists
  add column version integer not null default 1,
  add column changed_by uuid,
  add column changed_at timestamptz;
alter table settings
  add column version integer not null default 1,
  add column changed_by uuid,
  add column changed_at timestamptz;

-- People's changes set changed_by and changed_at. A statement that sets neither (processing, a cascade) is the service's own.
create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  if new.changed_at is not distinct from old.changed_at then
    new.changed_by := null;
    new.changed_at := now();
  end if;
  return new;
end $$;

-- Not counted: duration, loudness, peaks, processing and renditions, which processing measures and writes. Lyrics and cover
-- count even when the service writes them: overwriting those read from the file would lose them.
create trigger tracks_version before update on tracks for each row
  when (
    (old.title, old.artist, old.category, old.genre, old.description, old.lyrics, old.tags, old.explicit, old.cover_id,
     old.is_published or old.publish_when_ready, old.ai_disclosure, old.ai_tool, old.credits, old.source_key)
    is distinct from
    (new.title, new.artist, new.category, new.genre, new.description, new.lyrics, new.tags, new.explicit, new.cover_id,
     new.is_published or new.publish_when_ready, new.ai_disclosure, new.ai_tool, new.credits, new.source_key)
  ) execute function count_version();

-- Not counted: sort_order, which is changed for all categories at once.
create trigger category_metadata_version before update on category_metadata for each row
  when (
    (old.category, old.display_name, old.description, old.cover_id, old.is_visible)
    is distinct from
    (new.category, new.display_name, new.description, new.cover_id, new.is_visible)
  ) execute function count_version();

-- Not counted: the tracks of a playlist. They are changed by operations, which cannot undo each other.
create trigger playlists_version before update on playlists for each row
  when (
    (old.title, old.description, old.cover_id, old.is_public, old.is_curated, old.is_visible)
    is distinct from
    (new.title, new.description, new.cover_id, new.is_public, new.is_curated, new.is_visible)
  ) execute function count_version();

-- Every setting counts, those of later releases too. The secret counts when a person saves it, which also sets updated_at,
-- but not when it is sealed under a new key.
create trigger settings_version before update on settings for each row
  when (
    to_jsonb(old) - '{version,changed_by,changed_at,updated_at,stripe_webhook_secret}'::text[]
    is distinct from
    to_jsonb(new) - '{version,changed_by,changed_at,updated_at,stripe_webhook_secret}'::text[]
    or (old.stripe_webhook_secret is distinct from new.stripe_webhook_secret
        and old.updated_at is distinct from new.updated_at)
  ) execute function count_version();
