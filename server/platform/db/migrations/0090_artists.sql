-- Artists are rows, and a track names them in credits. tracks.artist stays: it is the line made from the credits of the
-- main and featured artists. The triggers keep both equal, whichever a transaction changes: this version writes credits,
-- the release before it only the text. Order of locks: tracks before artists.

-- As contract/fields/slug.ts does it. Empty if there is no letter or digit.
create function artist_slug(name text) returns text language sql immutable parallel safe
return btrim(left(regexp_replace(
  case
    when octet_length(name) = length(name) then lower(name)
    else (
      select string_agg(
        -- Neither ASCII nor punctuation, a symbol or a joiner: the code point stands for the letter.
        case
          when ascii(letter) < 128 then letter
          when ascii(letter) < 192 or ascii(letter) between 8192 and 12351 or ascii(letter) between 65024 and 65295
            or ascii(letter) >= 126976 and ascii(letter) < 131072 or ascii(letter) >= 917504 then '-'
          else '-u' || to_hex(ascii(letter)) || '-'
        end, '' order by place)
      from regexp_split_to_table(
        translate(
          replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            replace(replace(replace(fold_text(replace(lower(name), 'ŋ', 'ng')),
              'щ', 'shch'), 'ж', 'zh'), 'х', 'kh'), 'ц', 'ts'), 'ч', 'ch'), 'ш', 'sh'), 'ю', 'yu'), 'я', 'ya'),
              'є', 'ye'), 'ъ', ''), 'ь', ''), 'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps'), 'ŧ', 't'), 'ı', 'i'),
          'абвгґдезиійклмнопрстуфыэαβγδεζηικλμνξοπρσςτυφω',
          'abvggdeziiiklmnoprstufyeavgdeziiklmnxoprsstyfo'),
        '') with ordinality as t (letter, place)
    )
  end, '[^a-z0-9]+', '-', 'g'), 80), '-');

create table artists (
  id uuid primary key default uuid_v7(),
  name text not null unique check (length(btrim(name)) between 1 and 200),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  -- Lists are sorted by it; without one, by the name.
  sort_name text check (length(btrim(sort_name)) between 1 and 200),
  biography text check (length(biography) <= 5000),
  picture_id uuid references images (id) on delete set null,
  -- [{ label, url }]
  links jsonb not null default '[]' check (jsonb_typeof(links) = 'array' and jsonb_array_length(links) <= 10),
  version integer not null default 1,
  changed_by uuid,
  changed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_folded text not null generated always as (folded_fields(name, coalesce(sort_name, ''), '', '')) stored
);
create index artists_by_name on artists (lower(coalesce(sort_name, name)), id);
create index artists_newest on artists (created_at desc, id desc);
create index artists_picture on artists (picture_id) where picture_id is not null;

-- Names that an artist had before a rename or a merge: a file with the old name in its tags finds the artist.
create table artist_aliases (
  name text primary key,
  artist_id uuid not null references artists (id) on delete cascade
);
create index artist_aliases_artist on artist_aliases (artist_id);

-- Addresses that an artist had. They lead to the artist for ever.
create table artist_slugs (
  slug text primary key,
  artist_id uuid not null references artists (id) on delete cascade
);
create index artist_slugs_artist on artist_slugs (artist_id);

-- Artists that were merged into another one.
create table artist_merges (
  id uuid primary key,
  artist_id uuid not null references artists (id) on delete cascade
);
create index artist_merges_artist on artist_merges (artist_id);

-- Its foreign keys and its second index are made below, after the rows.
create table track_credits (
  track_id uuid not null,
  position integer not null,
  artist_id uuid not null,
  role text not null
    check (role in ('main', 'featured', 'remixer', 'composer', 'lyricist', 'producer', 'performer', 'prompter')),
  -- What this track calls the artist, if not by the name.
  credited_as text check (length(btrim(credited_as)) between 1 and 200),
  -- Between this name and the next one in the line: ' & '. Empty: ' feat. ' or ', ', by the roles.
  joiner text not null default '' check (length(joiner) <= 20),
  primary key (track_id, position)
);
-- Merges, splits and deletions that can be undone for a moment.
create table artist_undos (
  id uuid primary key default uuid_v7(),
  action text not null check (action in ('merge', 'split', 'delete')),
  artist_id uuid not null,
  -- What it takes to restore it.
  kept jsonb not null,
  created_at timestamptz not null default now(),
  undo_until timestamptz not null
);
create index artist_undos_due on artist_undos (undo_until);

create trigger artists_version before update on artists for each row
  when (
    (old.name, old.slug, old.sort_name, old.biography, old.picture_id, old.links)
    is distinct from
    (new.name, new.slug, new.sort_name, new.biography, new.picture_id, new.links)
  ) execute function count_version();

-- The line of a track. Null without credits that belong to it.
create function artist_line(track uuid) returns text language sql stable
return (
  select string_agg(
           l.name || case
             when l.next_role is null then ''
             when l.joiner <> '' then l.joiner
             when l.role = 'main' and l.next_role = 'featured' then ' feat. '
             else ', '
           end, '' order by l.position)
    from (
      select c.position, coalesce(c.credited_as, a.name) as name, c.joiner, c.role,
             lead(c.role) over (order by c.position) as next_role
        from track_credits c join artists a on a.id = c.artist_id
       where c.track_id = track and c.role in ('main', 'featured')
    ) l);

-- A slug that no artist has or had. A name without letters and digits gets one made from its hash.
create function free_artist_slug(name text) returns text language plpgsql stable as $$
declare
  base text := coalesce(nullif(artist_slug(name), ''), 'artist-' || left(md5(name), 8));
  candidate text := base;
  number integer := 1;
begin
  while exists (select from artists a where a.slug = candidate)
     or exists (select from artist_slugs s where s.slug = candidate) loop
    number := number + 1;
    candidate := btrim(left(base, 79 - length(number::text)), '-') || '-' || number;
  end loop;
  return candidate;
end $$;

-- The artist of a name, or of a former name; made if there is none. The row stays locked, so that it cannot be deleted or
-- renamed before the credit is committed. The advisory lock: two transactions with the same new names would otherwise
-- insert them in different orders.
create function artist_of_name(wanted text) returns uuid language plpgsql volatile as $$
declare
  found_id uuid;
begin
  for attempt in 1..2 loop
    select a.id into found_id from artists a where a.name = wanted for key share;
    if found_id is not null then return found_id; end if;
    select a.id into found_id from artists a join artist_aliases n on n.artist_id = a.id
     where n.name = wanted for key share of a;
    if found_id is not null then return found_id; end if;
    perform pg_advisory_xact_lock(8356871090);
  end loop;
  insert into artists (name, slug) values (wanted, free_artist_slug(wanted)) returning id into found_id;
  return found_id;
end $$;

-- For a track whose text is not the line of its credits: the release before this one wrote it, or an API call with only
-- the text. The text becomes one main credit. Credits that are not in the line stay.
create function credit_artist_text(track uuid) returns void language plpgsql volatile as $$
declare
  given text;
begin
  select t.artist into given from tracks t where t.id = track;
  if given is null then return; end if;
  if exists (select from track_credits c where c.track_id = track) then
    if given is not distinct from artist_line(track) then return; end if;
  else
    -- Almost all new tracks: one statement, and half the time. The lock: see artist_of_name.
    insert into track_credits (track_id, position, artist_id, role)
      select track, 0, a.id, 'main' from artists a where a.name = given for key share;
    if found then return; end if;
  end if;
  delete from track_credits c where c.track_id = track and c.role in ('main', 'featured');
  insert into track_credits (track_id, position, artist_id, role)
    select track, coalesce((select min(c.position) from track_credits c where c.track_id = track), 1) - 1,
           artist_of_name(given), 'main';
  -- The text was a former name.
  update tracks t set artist = artist_line(track) where t.id = track and t.artist <> artist_line(track);
end $$;

-- At the commit: a transaction may change the text before its credits, and short locks on artists keep uploads parallel.
create function credit_changed_artist_text() returns trigger language plpgsql as $$
begin
  perform credit_artist_text(new.id);
  return null;
end $$;
create constraint trigger tracks_credited after insert on tracks
  deferrable initially deferred for each row execute function credit_changed_artist_text();
create constraint trigger tracks_credited_otherwise after update on tracks
  deferrable initially deferred for each row when (old.artist is distinct from new.artist)
  execute function credit_changed_artist_text();

-- Not for changes that other triggers make: those follow the text, or the track is deleted.
create function remake_artist_lines() returns trigger language plpgsql as $$
begin
  perform from tracks where id in (select track_id from changed) order by id for no key update;
  update tracks t set artist = l.line
    from (select d.track_id, artist_line(d.track_id) as line from (select distinct track_id from changed) d) l
   where t.id = l.track_id and t.artist <> l.line;
  if exists (select from changed c join tracks t on t.id = c.track_id where t.is_published) then
    perform pg_notify('velour', 'catalogue ');
  end if;
  return null;
end $$;
create trigger track_credits_added after insert on track_credits
  referencing new table as changed
  for each statement when (pg_trigger_depth() = 0) execute function remake_artist_lines();
create trigger track_credits_changed after update on track_credits
  referencing new table as changed
  for each statement when (pg_trigger_depth() = 0) execute function remake_artist_lines();
create trigger track_credits_removed after delete on track_credits
  referencing old table as changed
  for each statement when (pg_trigger_depth() = 0) execute function remake_artist_lines();

-- A new name or address: the former ones lead to the artist, and the lines of the tracks follow.
create function follow_artist_name() returns trigger language plpgsql as $$
begin
  delete from artist_aliases where name = new.name;
  delete from artist_slugs where slug = new.slug;
  if tg_op = 'UPDATE' and old.slug <> new.slug then
    insert into artist_slugs (slug, artist_id) values (old.slug, new.id)
      on conflict (slug) do update set artist_id = excluded.artist_id;
  end if;
  if tg_op = 'UPDATE' and old.name <> new.name then
    insert into artist_aliases (name, artist_id) values (old.name, new.id)
      on conflict (name) do update set artist_id = excluded.artist_id;
    perform from tracks t where t.id in (select c.track_id from track_credits c where c.artist_id = new.id)
      order by t.id for no key update;
    update tracks t set artist = artist_line(t.id)
     where t.id in (select c.track_id from track_credits c
                     where c.artist_id = new.id and c.role in ('main', 'featured') and c.credited_as is null)
       and t.artist <> artist_line(t.id);
  end if;
  return null;
end $$;
create trigger artists_named after insert on artists for each row execute function follow_artist_name();
create trigger artists_renamed after update on artists for each row
  when ((old.name, old.slug) is distinct from (new.name, new.slug)) execute function follow_artist_name();

create trigger artists_listed_otherwise after update on artists for each row
  when ((old.name, old.slug, old.sort_name, old.biography, old.picture_id, old.links)
        is distinct from (new.name, new.slug, new.sort_name, new.biography, new.picture_id, new.links))
  execute function tell_of_catalogue();

-- Nobody writes tracks until this is committed. Each distinct text becomes one artist; nothing is split by guessing.
lock table tracks in share row exclusive mode;
alter table artists disable trigger artists_named;
insert into artists (name, slug, created_at)
  with named as materialized (
    select artist as name, min(created_at) as created_at, artist_slug(artist) as base from tracks group by artist
  )
  select name, case base when '' then 'artist-' || left(md5(name), 8) else base end, created_at from (
    select *, row_number() over (partition by base order by created_at, name) as number from named
  ) s where number = 1 or base = '';
alter table artists enable trigger artists_named;
-- Those whose slug another one has: few, one after the other.
do $$
declare
  missing record;
begin
  for missing in
    select t.artist as name, min(t.created_at) as created_at from tracks t
     where not exists (select from artists a where a.name = t.artist) group by t.artist order by 2, 1
  loop
    insert into artists (name, slug, created_at)
      values (missing.name, free_artist_slug(missing.name), missing.created_at);
  end loop;
end $$;
alter table track_credits disable trigger track_credits_added;
insert into track_credits (track_id, position, artist_id, role)
  select t.id, 0, a.id, 'main' from tracks t join artists a on a.name = t.artist;
alter table track_credits enable trigger track_credits_added;

-- At the end: quicker than with each row, and no row of tracks is locked.
alter table track_credits
  add foreign key (track_id) references tracks (id) on delete cascade,
  add foreign key (artist_id) references artists (id);
create index track_credits_artist on track_credits (artist_id, track_id);
create index artists_search_folded on artists using gin (search_folded gin_trgm_ops);
