-- Backups into BACKUP_TO, as they run and as they ended. Good ones are in `backups` as well.
create table backup_runs (
  id uuid primary key default uuid_v7(),
  started_at timestamptz not null default now(),
  -- Of a run that was killed this stands still.
  seen_at timestamptz not null default now(),
  finished_at timestamptz,
  result text check (result in ('complete', 'incomplete', 'failed')),
  error text check (length(error) <= 2000),
  files_done integer not null default 0 check (files_done >= 0),
  files_total integer check (files_total >= 0),
  check ((finished_at is null) = (result is null))
);
create index backup_runs_newest on backup_runs (started_at desc);
