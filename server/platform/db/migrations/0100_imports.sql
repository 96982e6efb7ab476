-- Imports of archives: of music, or of an export of a service like this one.

-- The release before this one writes none of the new value.
alter table uploads
  drop constraint uploads_bucket_check,
  add check (bucket in ('audio', 'covers', 'evidence', 'archives'));

create table imports (
  id uuid primary key default uuid_v7(),
  -- `files`: recordings with what is beside them. `catalogue`: an export of a service like this one.
  format text check (format in ('files', 'catalogue')),
  -- The name of the file.
  name text not null check (length(name) between 1 and 500),
  status text not null default 'waiting' check (status in ('waiting', 'running', 'asking', 'done', 'failed', 'stopped')),
  -- Why it failed, for people.
  problem text check (length(problem) <= 500),
  -- The archive. The upload keeps its file until the import is over.
  upload_id uuid references uploads (id) on delete set null,
  -- Who started it, and from where: tracks are created in their name.
  started_by uuid references profiles (id) on delete set null,
  ip_address text not null,
  -- What was created besides recordings, for people: `{"playlists": 2}`.
  made jsonb not null default '{}' check (jsonb_typeof(made) = 'object'),
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index imports_newest on imports (created_at desc);
create index imports_upload on imports (upload_id) where upload_id is not null;
create index imports_person on imports (started_by) where started_by is not null;

-- One recording, picture or list of an import. Rows that are done stay, so that an import that was killed goes on.
create table import_items (
  import_id uuid not null references imports (id) on delete cascade,
  position integer not null,
  kind text not null check (kind in ('recording', 'picture', 'list')),
  -- Inside of the archive.
  path text not null check (length(path) <= 1000),
  name text not null check (length(name) <= 500),
  status text not null default 'waiting' check (status in ('waiting', 'done', 'known', 'failed', 'left_out')),
  -- What belongs to it: the texts and the cover beside it, or the document of an export.
  data jsonb not null default '{}',
  -- What the owner wants with a recording that is known.
  decision text check (decision in ('keep', 'replace', 'skip')),
  track_id uuid references tracks (id) on delete set null,
  -- The track that has this recording already, and how that was found.
  known_track_id uuid references tracks (id) on delete set null,
  known_by text check (known_by in ('recording', 'source', 'id')),
  reason text check (length(reason) <= 500),
  primary key (import_id, position)
);
create index import_items_status on import_items (import_id, status, position);
create index import_items_track on import_items (track_id) where track_id is not null;
create index import_items_known on import_items (known_track_id) where known_track_id is not null;

-- Whether a song with this id of a generator is here already.
create index track_origins_source on track_origins (source_id) where source_id is not null;
