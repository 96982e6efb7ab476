-- The weekly figures: each admin gets a week once.
create table figure_mails (
  user_id uuid not null references profiles (id) on delete cascade,
  -- The first day of the week that the figures are of.
  week date not null,
  sent_at timestamptz not null default now(),
  primary key (user_id, week)
);

-- Admins who get no figures.
create table figure_mail_refusals (
  user_id uuid primary key references profiles (id) on delete cascade,
  created_at timestamptz not null default now()
);

-- When admins were mailed last about messages that wait, one row.
create table support_notice (
  id integer primary key default 1 check (id = 1),
  sent_at timestamptz not null default '-infinity'
);
insert into support_notice default values;

-- The kinds are listed in the contract; a new one needs no change of the table.
alter table tracked_mails drop constraint tracked_mails_kind_check;
