-- Release news: whom members follow, what they agreed to, what was published, and what was sent of it.

create table followed_artists (
  user_id uuid not null references profiles (id) on delete cascade,
  artist_id uuid not null references artists (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, artist_id)
);
create index followed_artists_artist on followed_artists (artist_id);

-- Without a row: nothing was ever agreed to.
create table news_preferences (
  user_id uuid primary key references profiles (id) on delete cascade,
  follows_everything boolean not null default false,
  release_mail text not null default 'off' check (release_mail in ('off', 'each', 'weekly')),
  announcements boolean not null default false,
  next_digest_at timestamptz,
  check ((release_mail = 'weekly') = (next_digest_at is not null))
);
create index news_preferences_everything on news_preferences (user_id) where follows_everything;
create index news_preferences_announcements on news_preferences (user_id) where announcements;

-- Each consent and each refusal, with its way.
create table news_consents (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  kind text not null check (kind in ('release_mail', 'announcements', 'push')),
  choice text not null check (choice in ('off', 'on', 'each', 'weekly')),
  -- On a screen of the app, on the page that a link in a mail opens, or by the button of a mail program (RFC 8058).
  way text not null check (way in ('profile', 'mail_link', 'mail_program')),
  created_at timestamptz not null default now()
);
create index news_consents_user on news_consents (user_id, created_at);

-- A publication that followers are notified of: once, however often it is hidden and published again.
create table news_items (
  id uuid primary key default uuid_v7(),
  release_id uuid unique references releases (id) on delete cascade,
  track_id uuid unique references tracks (id) on delete cascade,
  -- When it went to Premium members, in early access or as Premium only. Null: not yet.
  premium_at timestamptz,
  -- When it went to everyone. Null: not yet.
  everyone_at timestamptz,
  created_at timestamptz not null default now(),
  check (num_nonnulls(release_id, track_id) = 1)
);
create index news_items_open on news_items (created_at, id) where everyone_at is null;

-- Mails that must not arrive twice. The state is changed before a mail is handed to the mail server: one that was being
-- sent when the process was killed is not sent again.
create table tracked_mails (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  kind text not null check (kind in ('release', 'digest', 'announcement')),
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'refused', 'failed', 'canceled')),
  created_at timestamptz not null default now()
);
create index tracked_mails_age on tracked_mails (created_at);
create index tracked_mails_queued on tracked_mails (created_at) where state = 'queued';
create index tracked_mails_user on tracked_mails (user_id, created_at);

-- What a member gets of a publication by mail. Without `mail_id` it waits for a mail.
create table news_deliveries (
  item_id uuid not null references news_items (id) on delete cascade,
  user_id uuid not null references profiles (id) on delete cascade,
  is_done boolean not null default false,
  mail_id uuid references tracked_mails (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (item_id, user_id)
);
create index news_deliveries_waiting on news_deliveries (user_id, created_at) where not is_done;
create index news_deliveries_user on news_deliveries (user_id);
create index news_deliveries_mail on news_deliveries (mail_id) where mail_id is not null;

-- Addresses that the mail server refused for good (5yz). A mail that is accepted deletes the row.
create table refused_addresses (
  user_id uuid primary key references profiles (id) on delete cascade,
  email text not null,
  refusals integer not null check (refusals > 0),
  reason text not null check (length(reason) <= 300),
  refused_at timestamptz not null default now(),
  -- No news goes there any more. Null: not yet.
  suspended_at timestamptz
);
create index refused_addresses_suspended on refused_addresses (suspended_at desc, user_id) where suspended_at is not null;

alter table settings
  add column news_mails_per_minute integer not null default 60 check (news_mails_per_minute between 1 and 3000);

-- The key pair that identifies this service to push services (RFC 8292).
create table push_keys (
  id smallint primary key default 1 check (id = 1),
  public_key text not null,
  private_key_sealed text not null,
  created_at timestamptz not null default now()
);

-- Browsers that get notifications, until the session ends in which they agreed.
create table push_subscriptions (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  endpoint text not null unique check (length(endpoint) <= 2000),
  p256dh text not null check (length(p256dh) <= 100),
  auth text not null check (length(auth) <= 40),
  created_at timestamptz not null default now()
);
create index push_subscriptions_user on push_subscriptions (user_id);
create index push_subscriptions_session on push_subscriptions (session_id);

create table push_deliveries (
  item_id uuid not null references news_items (id) on delete cascade,
  subscription_id uuid not null references push_subscriptions (id) on delete cascade,
  -- `sending` stays where the process was killed: nothing is shown twice.
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (item_id, subscription_id)
);
create index push_deliveries_due on push_deliveries (next_attempt_at) where state = 'waiting';
create index push_deliveries_subscription on push_deliveries (subscription_id);

-- What members see already is no news. What is in early access, or for Premium only, still opens for the others.
insert into news_items (release_id, premium_at, everyone_at)
  select id, now(), case when audience <> 'premium' and coalesce(early_access_until <= now(), true) then now() end
    from releases where is_published;
insert into news_items (track_id, premium_at, everyone_at)
  select id, now(), case when audience <> 'premium' and coalesce(early_access_until <= now(), true) then now() end
    from tracks where is_published;

-- At the commit of the publication, by whatever it was made. Titles and credits are complete by then.

create function record_release_news() returns trigger language plpgsql as $$
begin
  insert into news_items (release_id)
    select id from releases where id = new.id and is_published and deleted_at is null
    on conflict do nothing;
  return null;
end $$;
create constraint trigger releases_news_insert after insert on releases deferrable initially deferred
  for each row when (new.is_published) execute function record_release_news();
create constraint trigger releases_news_update after update of is_published on releases deferrable initially deferred
  for each row when (new.is_published and not old.is_published and old.deleted_at is null)
  execute function record_release_news();

-- A track of a published release is no news of its own.
create function record_track_news() returns trigger language plpgsql as $$
begin
  insert into news_items (track_id)
    select t.id from tracks t
     where t.id = new.id and t.is_published and t.deleted_at is null
       and not exists (select from release_tracks e join releases r on r.id = e.release_id
                        where e.track_id = t.id and r.is_published)
    on conflict do nothing;
  return null;
end $$;
create constraint trigger tracks_news_insert after insert on tracks deferrable initially deferred
  for each row when (new.is_published) execute function record_track_news();
create constraint trigger tracks_news_update after update of is_published on tracks deferrable initially deferred
  for each row when (new.is_published and not old.is_published and old.deleted_at is null)
  execute function record_track_news();
