-- What belongs to this installation: an id that its storage carries as well, and a known text sealed under its SECRET.
create table installation (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  -- Sealed; empty until the first start.
  secret_check text not null default '' check (length(secret_check) <= 500),
  -- A storage has been given the id: another one without it is the wrong one.
  storage_marked_at timestamptz
);
insert into installation default values;

-- A backup of a storage that lacked files is not a whole one.
alter table backups add column missing_count integer not null default 0 check (missing_count >= 0);
