-- Pages that anyone can open: their addresses, and who decides that something has one.

-- `everyone` has a public page. What is there already stays for members, until an admin decides otherwise.
alter table tracks drop constraint tracks_audience_check,
  add check (audience in ('everyone', 'members', 'premium'));
alter table playlists drop constraint playlists_audience_check,
  add check (audience in ('everyone', 'members', 'premium'));
alter table releases drop constraint releases_audience_check,
  add check (audience in ('everyone', 'members', 'premium'));
-- An artist has a page when something of theirs has one, unless an admin turned it off.
alter table artists add column has_page boolean not null default true;

alter table settings
  -- Of new tracks, releases and playlists. An installation that is in use published for members only so far.
  add column default_audience text not null default 'members'
    check (default_audience in ('everyone', 'members', 'premium')),
  add column lyrics_on_pages boolean not null default false;
-- Nobody has edited the settings of a new installation.
alter table settings disable trigger settings_version;
update settings set default_audience = 'everyone' where not exists (select from profiles);
alter table settings enable trigger settings_version;

create or replace trigger artists_version before update on artists for each row
  when (
    (old.name, old.slug, old.sort_name, old.biography, old.picture_id, old.links, old.has_page)
    is distinct from
    (new.name, new.slug, new.sort_name, new.biography, new.picture_id, new.links, new.has_page)
  ) execute function count_version();

create or replace trigger artists_listed_otherwise after update on artists for each row
  when ((old.name, old.slug, old.sort_name, old.biography, old.picture_id, old.links, old.has_page)
        is distinct from (new.name, new.slug, new.sort_name, new.biography, new.picture_id, new.links, new.has_page))
  execute function tell_of_catalogue();

-- Present and former slugs of tracks and playlists. No foreign key: the address of something that was deleted never leads to
-- something else, and a deletion that is undone finds its addresses again.
create table page_slugs (
  kind text not null check (kind in ('track', 'playlist')),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  item_id uuid not null,
  is_current boolean not null default true,
  primary key (kind, slug)
);
create unique index page_slugs_current on page_slugs (item_id, kind) where is_current;

-- The slug of a title, or with a part of a hash behind it where something else has or had that one.
create function claim_page_slug(of_kind text, item uuid, title text) returns void language plpgsql volatile as $$
declare
  base text := coalesce(nullif(artist_slug(title), ''), of_kind);
  candidate text := base;
  attempt integer := 0;
begin
  update page_slugs set is_current = false where kind = of_kind and item_id = item and is_current;
  loop
    insert into page_slugs (kind, slug, item_id) values (of_kind, candidate, item)
      on conflict (kind, slug) do update set is_current = true where page_slugs.item_id = excluded.item_id;
    if found then return; end if;
    attempt := attempt + 1;
    candidate := base || '-' || left(md5(item::text || attempt), 6);
  end loop;
end $$;

create function update_title_slug() returns trigger language plpgsql as $$
begin
  perform claim_page_slug(tg_argv[0], new.id, new.title);
  return null;
end $$;
create trigger tracks_slug_added after insert on tracks for each row execute function update_title_slug('track');
create trigger tracks_slug_changed after update of title on tracks for each row
  when (artist_slug(old.title) is distinct from artist_slug(new.title)) execute function update_title_slug('track');
create trigger playlists_slug_added after insert on playlists for each row execute function update_title_slug('playlist');
create trigger playlists_slug_changed after update of title on playlists for each row
  when (artist_slug(old.title) is distinct from artist_slug(new.title)) execute function update_title_slug('playlist');

insert into page_slugs (kind, slug, item_id)
  select kind, case number when 1 then base else base || '-' || left(md5(id::text || 1), 6) end, id from (
    select *, row_number() over (partition by kind, base order by created_at, id) as number from (
      select 'track' as kind, id, created_at, coalesce(nullif(artist_slug(title), ''), 'track') as base from tracks
      union all
      select 'playlist', id, created_at, coalesce(nullif(artist_slug(title), ''), 'playlist') from playlists
    ) titles
  ) numbered
  on conflict do nothing;
-- The few whose hash met another slug.
do $$
declare
  missing record;
begin
  for missing in
    select 'track' as kind, t.id, t.title from tracks t
     where not exists (select from page_slugs s where s.item_id = t.id and s.kind = 'track')
    union all
    select 'playlist', p.id, p.title from playlists p
     where not exists (select from page_slugs s where s.item_id = p.id and s.kind = 'playlist')
  loop
    perform claim_page_slug(missing.kind, missing.id, missing.title);
  end loop;
end $$;

-- What the page of a category and the sitemap read.
create index tracks_for_everyone on tracks (created_at desc, id desc) where is_published and audience = 'everyone';

-- Links for the press. A link opens the page of something that is not public, until the link expires.
create table press_links (
  id uuid primary key default uuid_v7(),
  kind text not null check (kind in ('track', 'release', 'artist')),
  item_id uuid not null,
  secret_hash text not null unique check (secret_hash ~ '^[0-9a-f]{64}$'),
  label text not null check (length(btrim(label)) between 1 and 100),
  expires_at timestamptz not null,
  created_by uuid,
  created_at timestamptz not null default now()
);
create index press_links_item on press_links (item_id, kind);
create index press_links_expiry on press_links (expires_at);
