-- Mails that the owner writes to members who agreed to announcements.

create table announcements (
  id uuid primary key default uuid_v7(),
  subject text not null check (length(subject) between 1 and 150),
  -- Markdown.
  body text not null default '' check (length(body) <= 20000),
  audience text not null default 'all' check (audience in ('all', 'free', 'premium')),
  created_by uuid references profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Null: a draft.
  sent_at timestamptz,
  -- How many people it was for when it was sent.
  recipient_count integer check (recipient_count >= 0),
  check ((sent_at is null) = (recipient_count is null))
);
create index announcements_newest on announcements (created_at desc, id desc);
create index announcements_created_by on announcements (created_by);

create table announcement_recipients (
  announcement_id uuid not null references announcements (id) on delete cascade,
  user_id uuid not null references profiles (id) on delete cascade,
  -- Done without `mail_id`: the person had refused meanwhile, or cannot be mailed any more.
  is_done boolean not null default false,
  mail_id uuid references tracked_mails (id) on delete set null,
  primary key (announcement_id, user_id)
);
create index announcement_recipients_waiting on announcement_recipients (announcement_id, user_id) where not is_done;
create index announcement_recipients_user on announcement_recipients (user_id);
create index announcement_recipients_mail on announcement_recipients (mail_id) where mail_id is not null;
