-- What lists show of a playlist's tracks. Reading it from the tracks for each request took most of the request. In a table
-- of its own, so that publishing a track doesn't wait for people who edit a playlist's row.
create table playlist_summaries (
  playlist_id uuid primary key references playlists (id) on delete cascade,
  -- Published tracks only.
  track_count integer not null default 0,
  duration bigint not null default 0,
  -- Of the first four published tracks, as far as they have covers.
  cover_ids uuid[] not null default '{}'
) with (fillfactor = 70);

-- Nobody writes until this is committed. In the order in which transactions lock them.
lock table tracks, playlists, playlist_tracks in share row exclusive mode;

create function playlist_cover_ids(playlist uuid) returns uuid[] language sql stable
return array(
  select f.cover_id from (
    select t.cover_id, e.order_index
      from playlist_tracks e join tracks t on t.id = e.track_id
     where e.playlist_id = playlist and t.is_published
     order by e.order_index limit 4
  ) f where f.cover_id is not null order by f.order_index);

create function add_playlist_summaries() returns trigger language plpgsql as $$
begin
  insert into playlist_summaries (playlist_id) select id from added;
  return null;
end $$;
create trigger playlists_summarized after insert on playlists
  referencing new table as added
  for each statement execute function add_playlist_summaries();

-- Locks playlists before their summaries, like people's changes. A lock on the tracks waits for uncommitted changes of
-- them, which do not see the new rows, and keeps others out until this transaction ends. Each statement here sees what was
-- committed before it, so the update is right once all locks are held. A deleted playlist's summary is deleted, too.
create function summarize_playlists() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 when 'DELETE' then -1 else 0 end;
begin
  perform from playlists where id in (select playlist_id from changed) order by id for no key update;
  if sign <> 0 then
    perform from tracks
      where id in (select e.track_id from changed e join playlists p on p.id = e.playlist_id)
      order by id for share;
  end if;
  if (select count(distinct playlist_id) > 1 from changed) then
    perform pg_advisory_xact_lock(8356871086);
  end if;
  perform from playlist_summaries
    where playlist_id in (select playlist_id from changed) order by playlist_id for no key update;
  update playlist_summaries s
     set track_count = s.track_count + sign * d.track_count,
         duration = s.duration + sign * d.duration,
         cover_ids = playlist_cover_ids(s.playlist_id)
    from (
      select e.playlist_id, count(t.id) as track_count, coalesce(sum(t.duration), 0) as duration
        from changed e left join tracks t on t.id = e.track_id and t.is_published
       group by e.playlist_id
    ) d
   where s.playlist_id = d.playlist_id
     and (sign * d.track_count <> 0 or s.cover_ids <> playlist_cover_ids(s.playlist_id));
  return null;
end $$;
create trigger playlist_tracks_added after insert on playlist_tracks
  referencing new table as changed
  for each statement execute function summarize_playlists();
-- Fires before playlist_tracks_gaps, whose update fires playlist_tracks_moved: by then all summaries are locked.
create trigger playlist_tracks_deleted after delete on playlist_tracks
  referencing old table as changed
  for each statement execute function summarize_playlists();
create trigger playlist_tracks_moved after update on playlist_tracks
  referencing new table as changed
  for each statement execute function summarize_playlists();

create function refuse_other_playlist_track() returns trigger language plpgsql as $$
begin
  raise exception 'a row of playlist_tracks keeps its playlist and its track' using errcode = 'check_violation';
end $$;
create trigger playlist_tracks_kept before update of playlist_id, track_id on playlist_tracks
  for each row when ((old.playlist_id, old.track_id) is distinct from (new.playlist_id, new.track_id))
  execute function refuse_other_playlist_track();

-- The advisory lock: two transactions that change many tracks would lock the same summaries in different orders.
create function summarize_playlists_of_track() returns trigger language plpgsql as $$
begin
  if exists (select from playlist_tracks where track_id = old.id) then
    perform pg_advisory_xact_lock(8356871086);
    perform from playlist_summaries
      where playlist_id in (select playlist_id from playlist_tracks where track_id = old.id)
      order by playlist_id for no key update;
    update playlist_summaries s
       set track_count = s.track_count + coalesce(new.is_published, false)::int - old.is_published::int,
           duration = s.duration + case when new.is_published then new.duration else 0 end
                                 - case when old.is_published then old.duration else 0 end,
           cover_ids = playlist_cover_ids(s.playlist_id)
      from playlist_tracks e
     where e.track_id = old.id and s.playlist_id = e.playlist_id;
  end if;
  return old;
end $$;
create trigger tracks_summarized after update of is_published, duration, cover_id on tracks
  for each row when (
    (old.is_published or new.is_published)
    and (old.is_published, old.duration, old.cover_id) is distinct from (new.is_published, new.duration, new.cover_id)
  )
  execute function summarize_playlists_of_track();
-- Before, because its rows of playlist_tracks are deleted with it. playlist_tracks_deleted reads the covers again then.
create trigger tracks_not_summarized before delete on tracks
  for each row when (old.is_published)
  execute function summarize_playlists_of_track();

insert into playlist_summaries (playlist_id, track_count, duration, cover_ids)
  select p.id, count(t.id), coalesce(sum(t.duration), 0), playlist_cover_ids(p.id)
    from playlists p
    left join playlist_tracks e on e.playlist_id = p.id
    left join tracks t on t.id = e.track_id and t.is_published
   group by p.id;
