-- How mails are sent, as the owner set it up in the back office. SMTP_URL and MAIL_FROM come first.
create table mail_settings (
  id integer primary key default 1 check (id = 1),
  -- Empty: there is no mail server, and mails are written to the outbox folder.
  host text not null default '' check (length(host) <= 253),
  port integer not null default 587 check (port between 1 and 65535),
  security text not null default 'starttls' check (security in ('tls', 'starttls', 'none')),
  user_name text not null default '' check (length(user_name) <= 320),
  password_sealed text not null default '',
  from_name text check (length(from_name) between 1 and 60),
  from_address text check (length(from_address) between 3 and 254),
  reply_to text check (length(reply_to) between 3 and 254),
  -- Of the DKIM key of the sender's domain.
  dkim_selector text not null default '' check (length(dkim_selector) <= 63),
  weekly_figures boolean not null default true,
  -- 1 is Monday, in UTC.
  figures_weekday smallint not null default 1 check (figures_weekday between 1 and 7),
  updated_at timestamptz,
  version integer not null default 1,
  changed_by uuid,
  changed_at timestamptz
);
insert into mail_settings default values;

create trigger mail_settings_version before update on mail_settings for each row
  when (
    to_jsonb(old) - '{version,changed_by,changed_at,updated_at}'::text[]
    is distinct from
    to_jsonb(new) - '{version,changed_by,changed_at,updated_at}'::text[]
  ) execute function increment_version();

-- What the mail server answered last.
create table mail_state (
  id integer primary key default 1 check (id = 1),
  sent_at timestamptz,
  failed_at timestamptz,
  reason text,
  reply text check (length(reply) <= 300)
);
insert into mail_state default values;

-- Mails that were written to the outbox folder, encrypted, until they expire or a mail server is set up.
create table kept_mails (
  id uuid primary key default uuid_v7(),
  sealed_mail text not null,
  expires_at timestamptz not null,
  tracked_mail_id uuid references tracked_mails (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index kept_mails_expiry on kept_mails (expires_at);
create index kept_mails_tracked on kept_mails (tracked_mail_id) where tracked_mail_id is not null;
