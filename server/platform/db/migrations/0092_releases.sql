-- Singles, EPs, albums and compilations. A track may be on several of them; one on none behaves as a single.
create table releases (
  id uuid primary key default uuid_v7(),
  kind text not null check (kind in ('single', 'ep', 'album', 'compilation')),
  title text not null check (length(title) between 1 and 200),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  -- The text made from release_credits.
  artist text not null default '' check (length(artist) <= 1000),
  -- Without a cover of its own, a release shows the one of its first track.
  cover_id uuid references images (id) on delete set null,
  description text check (length(description) <= 5000),
  release_date date,
  label text check (length(label) <= 200),
  upc text check (upc ~ '^[0-9]{12,13}$'),
  is_published boolean not null default false,
  release_at timestamptz,
  release_zone text check (length(release_zone) <= 80),
  early_access_days smallint not null default 0 check (early_access_days between 0 and 60),
  audience text not null default 'members' check (audience in ('members', 'premium')),
  early_access_until timestamptz,
  -- Deleted, and can still be restored.
  deleted_at timestamptz check (deleted_at is null or not is_published),
  -- Its tracks or their order were changed.
  tracks_changed_at timestamptz not null default now(),
  version integer not null default 1,
  changed_by uuid,
  changed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Lists are sorted by it.
  released_on date not null generated always as (
    coalesce(release_date, (created_at at time zone 'UTC')::date)) stored,
  search_folded text not null generated always as (
    folded_fields(title, artist, coalesce(label, ''), '')) stored
);
create index releases_newest on releases (released_on desc, id desc) where is_published;
create index releases_title on releases (lower(title), id);
create index releases_cover on releases (cover_id) where cover_id is not null;
create index releases_search_folded on releases using gin (search_folded gin_trgm_ops);

-- Slugs that a release had before. Its old addresses still work.
create table release_slugs (
  slug text primary key,
  release_id uuid not null references releases (id) on delete cascade
);
create index release_slugs_release on release_slugs (release_id);

create table release_credits (
  release_id uuid not null references releases (id) on delete cascade,
  position smallint not null check (position >= 1),
  -- Checked at the commit: merging artists may delete one before its credits have moved.
  artist_id uuid not null references artists (id) deferrable initially deferred,
  -- What stands between this artist and the next one.
  joiner text not null default '' check (length(joiner) <= 20),
  primary key (release_id, position),
  unique (release_id, artist_id)
);
create index release_credits_artist on release_credits (artist_id);

create function release_artist_line(release uuid) returns text language sql stable
return (
  select string_agg(l.name || case when l.is_last then '' else coalesce(nullif(l.joiner, ''), ', ') end, '' order by l.position)
    from (
      select c.position, a.name, c.joiner, lead(c.position) over (order by c.position) is null as is_last
        from release_credits c join artists a on a.id = c.artist_id
       where c.release_id = release
    ) l);

-- The line follows the credits and the names of the artists.
create function remake_release_lines() returns trigger language plpgsql as $$
begin
  update releases r set artist = l.line
    from (select d.release_id, left(release_artist_line(d.release_id), 1000) as line
            from (select distinct release_id from changed) d) l
   where r.id = l.release_id and r.artist <> l.line;
  return null;
end $$;
create trigger release_credits_added after insert on release_credits
  referencing new table as changed for each statement execute function remake_release_lines();
create trigger release_credits_changed after update on release_credits
  referencing new table as changed for each statement execute function remake_release_lines();
create trigger release_credits_removed after delete on release_credits
  referencing old table as changed for each statement execute function remake_release_lines();

-- The releases of a merged artist belong to the one that is left.
create function follow_artist_merge_on_releases() returns trigger language plpgsql as $$
begin
  update release_credits c set artist_id = new.artist_id
   where c.artist_id = new.id
     and not exists (select from release_credits o where o.release_id = c.release_id and o.artist_id = new.artist_id);
  delete from release_credits c where c.artist_id = new.id;
  return null;
end $$;
create trigger artist_merges_on_releases after insert on artist_merges for each row
  execute function follow_artist_merge_on_releases();

create function follow_artist_name_on_releases() returns trigger language plpgsql as $$
begin
  update releases r set artist = left(release_artist_line(r.id), 1000)
   where r.id in (select c.release_id from release_credits c where c.artist_id = new.id);
  return null;
end $$;
create trigger artists_renamed_on_releases after update on artists for each row
  when (old.name is distinct from new.name) execute function follow_artist_name_on_releases();

create table release_tracks (
  release_id uuid not null references releases (id) on delete cascade,
  track_id uuid not null references tracks (id) on delete cascade,
  disc smallint not null default 1 check (disc between 1 and 100),
  position smallint not null check (position >= 1),
  primary key (release_id, track_id),
  unique (release_id, disc, position) deferrable initially immediate
);
create index release_tracks_track on release_tracks (track_id);

create table release_likes (
  user_id uuid not null references profiles (id) on delete cascade,
  release_id uuid not null references releases (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, release_id)
);
create index release_likes_release on release_likes (release_id);

create trigger releases_version before update on releases for each row
  when (
    old.deleted_at is not distinct from new.deleted_at
    and (old.kind, old.title, old.slug, old.artist, old.cover_id, old.description, old.release_date, old.label, old.upc,
         old.is_published, old.release_at, old.release_zone, old.early_access_days, old.audience, old.tracks_changed_at)
    is distinct from
    (new.kind, new.title, new.slug, new.artist, new.cover_id, new.description, new.release_date, new.label, new.upc,
     new.is_published, new.release_at, new.release_zone, new.early_access_days, new.audience, new.tracks_changed_at)
  ) execute function count_version();

-- Lists of tracks show the release of each.
create trigger releases_listed after insert or update or delete on releases
  for each statement execute function tell_of_catalogue();
create trigger release_tracks_listed after insert or update or delete on release_tracks
  for each statement execute function tell_of_catalogue();

-- One loudness for all tracks of an album: the mean of their energy over time, in LUFS. Null as long as none is measured.
create function album_loudness_lufs(release uuid) returns real language sql stable
return (
  select (10 * log(sum(t.duration * power(10::double precision, t.loudness_lufs / 10)) / sum(t.duration)))::real
    from release_tracks e join tracks t on t.id = e.track_id
   where e.release_id = release and t.is_published and t.loudness_lufs is not null and t.duration > 0);

-- What the tags and the folder of an imported file say about its release. Releases are proposed from it.
create table track_file_tags (
  track_id uuid primary key references tracks (id) on delete cascade,
  album text check (length(album) <= 200),
  album_artist text check (length(album_artist) <= 200),
  disc smallint check (disc between 1 and 100),
  track_number smallint check (track_number between 1 and 9999),
  year smallint check (year between 1000 and 9999),
  folder text check (length(folder) <= 200),
  -- Nobody wants the release that it was proposed for.
  dismissed_at timestamptz
);

-- How a track was made, for its owner alone. No response for members reads this table.
create table track_origins (
  track_id uuid primary key references tracks (id) on delete cascade,
  tool text check (length(tool) <= 100),
  model text check (length(model) <= 100),
  plan_at_creation text check (length(plan_at_creation) <= 100),
  created_at_source timestamptz,
  source_id text check (length(source_id) <= 200),
  source_url text check (length(source_url) <= 1000),
  prompt text check (length(prompt) <= 10000),
  style text check (length(style) <= 5000),
  negative_style text check (length(negative_style) <= 5000),
  seed text check (length(seed) <= 100),
  -- lyrics, music, vocals, artwork: each human, assisted or generated.
  parts jsonb not null default '{}' check (jsonb_typeof(parts) = 'object'),
  rights_note text check (length(rights_note) <= 5000),
  version integer not null default 1,
  changed_by uuid,
  changed_at timestamptz,
  updated_at timestamptz not null default now()
);
create trigger track_origins_version before update on track_origins for each row
  when (to_jsonb(old) - '{version,changed_by,changed_at,updated_at}'::text[]
        is distinct from to_jsonb(new) - '{version,changed_by,changed_at,updated_at}'::text[])
  execute function count_version();

alter table deletions
  drop constraint deletions_entity_check,
  add check (entity in ('track', 'playlist', 'category', 'genre', 'artist', 'release'));
