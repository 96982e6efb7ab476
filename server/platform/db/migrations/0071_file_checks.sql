-- What the last look at each stored object found, and the runs that look.
alter table stored_files add column checked_at timestamptz;
-- Null: none that is known.
alter table stored_files add column problem text check (problem in ('missing', 'wrong_size', 'wrong_bytes'));
-- When a listener met the problem and the track was processed again for it.
alter table stored_files add column repair_queued_at timestamptz;
create index stored_files_by_check on stored_files (checked_at nulls first, storage_key);
create index stored_files_damaged on stored_files (storage_key) where problem is not null;

create table file_checks (
  id uuid primary key default gen_random_uuid(),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  checked_count bigint not null default 0,
  -- Objects that no row names.
  orphan_count bigint not null default 0,
  -- Null until it is finished.
  damaged_count bigint
);
create index file_checks_by_start on file_checks (started_at desc);
