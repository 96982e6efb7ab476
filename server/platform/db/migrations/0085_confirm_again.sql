-- When a password or a code was last given in a session. The default is the sign-in, also for instances of the version
-- before, which do not know the column.
alter table sessions add column confirmed_at timestamptz not null default now();
update sessions set confirmed_at = created_at;

-- While on, admins without a second factor reach nothing of the back office.
alter table settings add column admins_need_two_factor boolean not null default false;
