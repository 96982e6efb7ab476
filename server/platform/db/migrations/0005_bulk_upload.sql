-- Tracks that came together in one drop of files, so that they can be looked through and edited together.

alter table tracks
  -- Made by whoever brought the files.
  add column import_batch uuid,
  -- What the file's own tags say where no genre of the house has that name: offered to the admin.
  add column found_genre text check (length(found_genre) <= 80);

create index tracks_import_batch on tracks (import_batch, created_at, id) where import_batch is not null;
