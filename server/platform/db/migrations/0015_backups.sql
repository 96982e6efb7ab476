-- When the last backups were made, for whoever wants to know whether there is one.
create table backups (
  id uuid primary key default uuid_v7(),
  created_at timestamptz not null default now(),
  byte_size bigint not null check (byte_size > 0),
  object_count integer not null check (object_count >= 0)
);
create index backups_newest on backups (created_at desc);
