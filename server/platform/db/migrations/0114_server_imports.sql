-- Imports from servers that speak the OpenSubsonic API.

-- The release before this one writes none of the new values.
alter table imports
  drop constraint imports_format_check,
  add check (format in ('files', 'catalogue', 'server')),
  drop constraint imports_status_check,
  add check (status in ('waiting', 'running', 'listed', 'asking', 'done', 'failed', 'stopped')),
  -- Null: it is an archive.
  add column server_url text check (length(server_url) <= 500),
  -- The sign-in, encrypted with SECRET. Removed when the import is over.
  add column server_login_sealed text;

-- The record label of a file's album, as a server names it.
alter table track_file_tags add column label text check (length(label) <= 200);
