-- What an admin or a member deletes can be restored for a moment. A row here is a deletion that can still be undone, or
-- one of the last day.
create table deletions (
  id uuid primary key default uuid_v7(),
  entity text not null check (entity in ('track', 'playlist', 'category', 'genre')),
  entity_id uuid not null,
  -- The member whose own it was; null for what belongs to the service.
  owner_id uuid references profiles (id) on delete cascade,
  -- No picture of something deleted is served.
  cover_id uuid,
  -- What it takes to restore it.
  kept jsonb not null,
  deleted_at timestamptz not null default now(),
  undo_until timestamptz not null,
  -- Since then nothing is left of it.
  purged_at timestamptz
);
create unique index deletions_open on deletions (entity, entity_id) where purged_at is null;
create index deletions_due on deletions (undo_until) where purged_at is null;
create index deletions_owner on deletions (owner_id) where owner_id is not null;
create index deletions_cover on deletions (cover_id) where cover_id is not null;

-- A deleted track stays until it is purged, with its plays, likes and places in playlists. It is unpublished, so all
-- members' queries leave it out; those of admins ask for this column.
alter table tracks add column deleted_at timestamptz check (deleted_at is null or not (is_published or publish_when_ready));
create index tracks_deleted on tracks (id) where deleted_at is not null;

-- Deleting and restoring is no edit: who has the form open saves as before.
create or replace trigger tracks_version before update on tracks for each row
  when (
    old.deleted_at is not distinct from new.deleted_at
    and (old.title, old.artist, old.category, old.genre, old.description, old.lyrics, old.tags, old.explicit, old.cover_id,
         old.is_published or old.publish_when_ready, old.ai_disclosure, old.ai_tool, old.credits, old.source_key)
    is distinct from
    (new.title, new.artist, new.category, new.genre, new.description, new.lyrics, new.tags, new.explicit, new.cover_id,
     new.is_published or new.publish_when_ready, new.ai_disclosure, new.ai_tool, new.credits, new.source_key)
  ) execute function count_version();
