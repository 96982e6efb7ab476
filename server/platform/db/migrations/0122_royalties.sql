-- Closed royalty statements. Rows are only inserted: a statement that was paid must stay what it was.
create table royalty_statements (
  -- The first day of the month.
  month date not null check (extract(day from month) = 1),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  net_cents bigint not null,
  owner_cents bigint not null,
  paying integer not null check (paying >= 0),
  closed_at timestamptz not null default now(),
  primary key (month, currency)
);

create table royalty_lines (
  month date not null,
  currency text not null,
  artist_id uuid not null,
  -- As they were called then. The artist may be deleted later.
  name text not null,
  minutes double precision not null check (minutes >= 0),
  listeners integer not null check (listeners > 0),
  amount_cents bigint not null check (amount_cents >= 0),
  primary key (month, currency, artist_id),
  foreign key (month, currency) references royalty_statements (month, currency)
);

create function refuse_royalty_change() returns trigger language plpgsql as $$
begin
  raise exception 'closed royalty statements do not change' using errcode = 'insufficient_privilege';
end $$;
create trigger royalty_statements_append_only before update or delete on royalty_statements
  for each row execute function refuse_royalty_change();
create trigger royalty_lines_append_only before update or delete on royalty_lines
  for each row execute function refuse_royalty_change();
