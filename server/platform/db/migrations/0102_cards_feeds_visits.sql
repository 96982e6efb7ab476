-- Pictures for link previews, private feeds, and how many people public pages bring.

-- The files of an item's card. Made again when what they show has changed.
create table share_cards (
  kind text not null check (kind in ('track', 'release', 'artist', 'playlist', 'category')),
  item_id uuid not null,
  content_hash text not null check (content_hash ~ '^[0-9a-f]{16}$'),
  wide_key text not null,
  square_key text not null,
  -- Only tracks with a preview have one, and only where ffmpeg can encode it.
  video_key text,
  made_at timestamptz not null default now(),
  primary key (kind, item_id)
);
create index share_cards_wide on share_cards (wide_key);
create index share_cards_square on share_cards (square_key);
create index share_cards_video on share_cards (video_key) where video_key is not null;

-- A key for a feed opens the feed of one member, and nothing else.
alter table device_keys add column purpose text not null default 'app' check (purpose in ('app', 'feed'));

-- Counts by day; nothing about who.
create table page_days (
  day date not null,
  kind text not null check (kind in ('track', 'release', 'artist', 'playlist', 'category')),
  item_id uuid not null,
  shares integer not null default 0,
  visits integer not null default 0,
  previews integer not null default 0,
  sign_ups integer not null default 0,
  paid integer not null default 0,
  primary key (day, kind, item_id)
);

-- The page that a new member came from, so that a first payment is counted there, too.
create table sign_up_pages (
  user_id uuid primary key references profiles (id) on delete cascade,
  kind text not null check (kind in ('track', 'release', 'artist', 'playlist', 'category')),
  item_id uuid not null,
  is_paid boolean not null default false
);

create function count_sign_up_page() returns trigger language plpgsql as $$
begin
  insert into page_days (day, kind, item_id, sign_ups) values ((now() at time zone 'UTC')::date, new.kind, new.item_id, 1)
    on conflict (day, kind, item_id) do update set sign_ups = page_days.sign_ups + 1;
  return null;
end $$;
create trigger sign_up_pages_counted after insert on sign_up_pages
  for each row execute function count_sign_up_page();

-- The first payment counts on its day, and once.
create function count_paid_page() returns trigger language plpgsql as $$
declare
  page sign_up_pages;
begin
  update sign_up_pages set is_paid = true where user_id = new.user_id and not is_paid returning * into page;
  if found then
    insert into page_days (day, kind, item_id, paid) values ((now() at time zone 'UTC')::date, page.kind, page.item_id, 1)
      on conflict (day, kind, item_id) do update set paid = page_days.paid + 1;
  end if;
  return null;
end $$;
create trigger payments_counted_on_pages after insert on payments
  for each row when (new.amount_cents > 0 and not new.is_simulated and new.user_id is not null) execute function count_paid_page();
