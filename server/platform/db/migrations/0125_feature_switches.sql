-- For whom a new feature is open. A feature without a row is open to everyone.
create table feature_switches (
  name text primary key check (name ~ '^[a-z][a-z_]{0,39}$'),
  audience text not null check (audience in ('nobody', 'yearly', 'premium', 'everyone')),
  updated_at timestamptz not null default now()
);
