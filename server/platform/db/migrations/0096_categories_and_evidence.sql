-- Several categories and moods per track, and the evidence file of its origins.

-- tracks.category stays the first category; more_categories has the others, in order. Moods are words of their own.
alter table tracks
  add column more_categories text[] not null default '{}' check (cardinality(more_categories) <= 9),
  add column moods text[] not null default '{}' check (cardinality(moods) <= 10);

-- Every category of a track, the first one included, with what lists of members are filtered and sorted by. Written by
-- triggers alone.
create table track_categories (
  track_id uuid not null,
  category text not null,
  is_published boolean not null,
  track_created_at timestamptz not null
);

insert into track_categories (track_id, category, is_published, track_created_at)
  select id, category, is_published, created_at from tracks where category is not null;

-- At the end: quicker than with each row.
alter table track_categories
  add primary key (track_id, category),
  add foreign key (track_id) references tracks (id) on delete cascade,
  add foreign key (category) references category_metadata (category) on update cascade on delete cascade;
create index track_categories_published on track_categories (category, track_created_at desc, track_id desc)
  where is_published;
create index track_categories_category on track_categories (category, track_id);
analyze track_categories;

create function categories_of(category text, more_categories text[]) returns text[] language sql immutable parallel safe
return case when category is null then '{}' else array_prepend(category, more_categories) end;

-- A track without a first category has no others. The release before this one writes only the first.
create function order_track_categories() returns trigger language plpgsql as $$
begin
  if new.category is null then
    new.more_categories := '{}';
  elsif new.more_categories <> '{}' then
    new.more_categories := array(
      select m.name from unnest(new.more_categories) with ordinality m (name, place)
       where m.name <> new.category group by m.name order by min(m.place));
  end if;
  return new;
end $$;
create trigger tracks_categories_ordered before insert or update of category, more_categories on tracks
  for each row execute function order_track_categories();

create function list_track_categories() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (old.category, old.more_categories) is not distinct from (new.category, new.more_categories) then
      update track_categories set is_published = new.is_published, track_created_at = new.created_at
       where track_id = new.id;
      return null;
    end if;
    delete from track_categories where track_id = new.id;
  end if;
  insert into track_categories (track_id, category, is_published, track_created_at)
    select new.id, name, new.is_published, new.created_at
      from unnest(categories_of(new.category, new.more_categories)) name;
  return null;
end $$;
create trigger tracks_categories_added after insert on tracks
  for each row when (new.category is not null) execute function list_track_categories();
create trigger tracks_categories_changed after update on tracks
  for each row when (
    (old.category, old.more_categories, old.is_published, old.created_at)
    is distinct from (new.category, new.more_categories, new.is_published, new.created_at)
  ) execute function list_track_categories();

-- Tracks of a deleted category keep their others; the next one becomes the first.
create function leave_deleted_category() returns trigger language plpgsql as $$
begin
  update tracks t
     set category = case when t.category = old.category then t.more_categories[1] else t.category end,
         more_categories = case when t.category = old.category then t.more_categories[2:]
                                else array_remove(t.more_categories, old.category) end
   where t.id in (select c.track_id from track_categories c where c.category = old.category);
  return old;
end $$;
create trigger category_metadata_left before delete on category_metadata
  for each row execute function leave_deleted_category();

create function update_category_slug() returns trigger language plpgsql as $$
begin
  update tracks t set more_categories = array_replace(t.more_categories, old.category, new.category)
   where old.category = any(t.more_categories);
  return null;
end $$;
create trigger category_metadata_slug after update of category on category_metadata
  for each row when (old.category is distinct from new.category) execute function update_category_slug();

-- Search: further categories and moods, beside search_folded. An index on the expression, because another generated
-- column would rewrite the table.
-- Most tracks have neither, and every candidate of a search is checked with it.
create function folded_labels(more_categories text[], moods text[]) returns text
  language plpgsql immutable parallel safe as $$
begin
  if more_categories = '{}' and moods = '{}' then
    return '';
  end if;
  return fold_text(array_to_string(more_categories || moods, e'\x1f'));
end $$;
create index tracks_labels_folded on tracks using gin (folded_labels(more_categories, moods) gin_trgm_ops)
  where more_categories <> '{}' or moods <> '{}';
create index tracks_moods on tracks using gin (moods) where moods <> '{}';
-- Beside the indexes on the first category, where another order than newest first is asked for.
create index tracks_more_categories on tracks using gin (more_categories) where more_categories <> '{}';

create or replace trigger tracks_listed_otherwise after update on tracks
  for each row when (
    (old.is_published or new.is_published)
    and (old.is_published, old.title, old.artist, old.category, old.genre, old.description, old.tags, old.explicit,
         old.cover_id, old.duration, old.loudness_lufs, old.true_peak_dbtp, old.ai_disclosure, old.ai_tool,
         old.lyrics is null, old.created_at, old.audience, old.early_access_until, old.more_categories, old.moods)
        is distinct from
        (new.is_published, new.title, new.artist, new.category, new.genre, new.description, new.tags, new.explicit,
         new.cover_id, new.duration, new.loudness_lufs, new.true_peak_dbtp, new.ai_disclosure, new.ai_tool,
         new.lyrics is null, new.created_at, new.audience, new.early_access_until, new.more_categories, new.moods)
  )
  execute function tell_of_catalogue();

create or replace trigger tracks_version before update on tracks for each row
  when (
    old.deleted_at is not distinct from new.deleted_at
    and (old.title, old.artist, old.category, old.genre, old.description, old.lyrics, old.tags, old.explicit, old.cover_id,
         old.is_published or old.publish_when_ready, old.ai_disclosure, old.ai_tool, old.credits, old.source_key,
         old.release_at, old.release_zone, old.early_access_days, old.audience, old.more_categories, old.moods)
    is distinct from
    (new.title, new.artist, new.category, new.genre, new.description, new.lyrics, new.tags, new.explicit, new.cover_id,
     new.is_published or new.publish_when_ready, new.ai_disclosure, new.ai_tool, new.credits, new.source_key,
     new.release_at, new.release_zone, new.early_access_days, new.audience, new.more_categories, new.moods)
  ) execute function count_version();

create or replace trigger tracks_compared_again after update on tracks
  for each row when (
    (old.is_published or new.is_published)
    and (old.is_published, old.title, old.artist, old.category, old.genre, old.description, old.tags, old.lyrics,
         old.more_categories, old.moods)
        is distinct from
        (new.is_published, new.title, new.artist, new.category, new.genre, new.description, new.tags, new.lyrics,
         new.more_categories, new.moods)
  )
  execute function update_neighbours_of_track();

-- Files that prove how a track was made: receipts, screenshots, terms. Stored as they came, for admins alone.
create table track_evidence (
  id uuid primary key default uuid_v7(),
  track_id uuid not null references tracks (id) on delete cascade,
  storage_key text not null unique,
  filename text not null check (length(filename) between 1 and 255),
  mime text not null check (mime in ('application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'text/plain')),
  byte_size bigint not null check (byte_size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid,
  created_at timestamptz not null default now()
);
create index track_evidence_track on track_evidence (track_id, created_at);

alter table uploads
  drop constraint uploads_bucket_check,
  add check (bucket in ('audio', 'covers', 'evidence'));
