-- Acoustic fingerprints, which find the same recording in another file, and tracks that are versions of one song.

-- A null fingerprint: the recording is silent, shorter than ten seconds, or can't be read. Measured again when the version
-- changes.
create table track_fingerprints (
  track_id uuid primary key references tracks on delete cascade,
  version smallint not null,
  -- Length of the recording. Only recordings of about the same length are compared.
  seconds real not null,
  fingerprint bytea
);
create index track_fingerprints_seconds on track_fingerprints (seconds) where fingerprint is not null;

-- Tracks with the same group are versions of one song. A group has at least two tracks that are not deleted.
create table track_versions (
  track_id uuid primary key references tracks on delete cascade,
  group_id uuid not null,
  linked_at timestamptz not null default now()
);
create index track_versions_group on track_versions (group_id);

-- The release before this one writes none of the new value.
alter table import_items
  drop constraint import_items_known_by_check,
  add check (known_by in ('recording', 'source', 'sound', 'id'));
