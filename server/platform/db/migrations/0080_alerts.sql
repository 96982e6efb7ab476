-- What is wrong now, one row per condition. Notified_at is null until it was seen twice in a row.
create table alerts (
  name text primary key check (length(name) between 1 and 60),
  message text not null check (length(message) <= 2000),
  began_at timestamptz not null default now(),
  notified_at timestamptz
);

-- When the conditions were last checked, by whichever instance.
create table alert_rounds (
  is_only boolean primary key default true check (is_only),
  checked_at timestamptz not null default now()
);
