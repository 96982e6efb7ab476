-- Bounces that arrive as mail: the mailbox that they go to, as the owner set it up. BOUNCE_MAILBOX_URL and BOUNCE_ADDRESS
-- come first.
create table bounce_settings (
  id integer primary key default 1 check (id = 1),
  -- Empty: no mailbox is read.
  host text not null default '' check (length(host) <= 253),
  port integer not null default 993 check (port between 1 and 65535),
  security text not null default 'tls' check (security in ('tls', 'starttls', 'none')),
  user_name text not null default '' check (length(user_name) <= 320),
  password_sealed text not null default '',
  folder text not null default 'INBOX' check (length(folder) between 1 and 200),
  -- The envelope sender of all mails (RFC 5321 §4.4). Null: the sender's address.
  bounce_address text check (length(bounce_address) between 3 and 254),
  updated_at timestamptz,
  version integer not null default 1,
  changed_by uuid,
  changed_at timestamptz
);
insert into bounce_settings default values;

create trigger bounce_settings_version before update on bounce_settings for each row
  when (
    to_jsonb(old) - '{version,changed_by,changed_at,updated_at}'::text[]
    is distinct from
    to_jsonb(new) - '{version,changed_by,changed_at,updated_at}'::text[]
  ) execute function increment_version();

-- What was read, and where to go on.
create table bounce_state (
  id integer primary key default 1 check (id = 1),
  -- The mailbox that `uid_validity` and `last_uid` (RFC 3501 §2.3.1.1) belong to.
  mailbox text not null default '',
  uid_validity text not null default '',
  last_uid bigint not null default 0,
  tried_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  reason text,
  reply text check (length(reply) <= 300),
  read_count bigint not null default 0,
  bounced_count bigint not null default 0,
  complaint_count bigint not null default 0,
  ignored_count bigint not null default 0
);
insert into bounce_state default values;

-- Reports about mails to accounts, so that each mail counts once.
create table mail_bounces (
  mail_id text not null check (length(mail_id) <= 40),
  kind text not null check (kind in ('permanent', 'temporary', 'complaint')),
  user_id uuid not null references profiles (id) on delete cascade,
  email text not null,
  reason text not null check (length(reason) <= 300),
  created_at timestamptz not null default now(),
  primary key (mail_id, kind)
);
create index mail_bounces_user on mail_bounces (user_id, kind, created_at);
create index mail_bounces_created on mail_bounces (created_at);

-- A mail server that takes a mail and bounces it later accepts the next one, too: that deletes no row of a bounce.
alter table refused_addresses
  add column source text not null default 'server' check (source in ('server', 'bounce'));

-- The release before this one writes none of the new value.
alter table news_consents
  drop constraint news_consents_way_check,
  add check (way in ('profile', 'mail_link', 'mail_program', 'complaint'));
