-- When the tracks of a playlist last changed: added, removed, moved, published or hidden. Apps cache playlists by this time.
-- Computing it from the tracks of every listed playlist took a third of a second for 800 playlists, and missed removals.
lock table tracks, playlists, playlist_tracks in share row exclusive mode;

alter table playlist_summaries add column tracks_changed_at timestamptz not null default now();

-- Existing playlists keep the time that apps have seen.
update playlist_summaries s
   set tracks_changed_at = coalesce(
     (select max(e.created_at) from playlist_tracks e where e.playlist_id = s.playlist_id),
     (select p.created_at from playlists p where p.id = s.playlist_id));

-- As in 0086, and sets tracks_changed_at. Every row of playlist_tracks that changes changes the list.
create or replace function summarize_playlists() returns trigger language plpgsql as $$
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
         cover_ids = playlist_cover_ids(s.playlist_id),
         tracks_changed_at = now()
    from (
      select e.playlist_id, count(t.id) as track_count, coalesce(sum(t.duration), 0) as duration
        from changed e left join tracks t on t.id = e.track_id and t.is_published
       group by e.playlist_id
    ) d
   where s.playlist_id = d.playlist_id;
  return null;
end $$;

create or replace function summarize_playlists_of_track() returns trigger language plpgsql as $$
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
           cover_ids = playlist_cover_ids(s.playlist_id),
           tracks_changed_at = now()
      from playlist_tracks e
     where e.track_id = old.id and s.playlist_id = e.playlist_id;
  end if;
  return old;
end $$;
