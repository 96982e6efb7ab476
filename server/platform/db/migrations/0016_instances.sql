-- Who serves this installation: every running process says every few seconds that it is there.
create table instances (
  id uuid primary key,
  host text not null check (length(host) <= 255),
  role text not null check (role in ('web', 'worker', 'all')),
  version text not null check (length(version) <= 60),
  started_at timestamptz not null,
  seen_at timestamptz not null default now(),
  free_bytes bigint not null check (free_bytes >= 0),
  total_bytes bigint not null check (total_bytes >= 0)
);
