-- Smart playlists: rules in place of tracks, evaluated when the playlist is read.

-- In the form of contract/fields/smart-rules.ts. Such a playlist has no rows in playlist_tracks.
alter table playlists
  add column rules jsonb check (rules is null or (jsonb_typeof(rules) = 'object' and not is_curated));

create or replace trigger playlists_notify after update on playlists
  for each row when (
    (old.title, old.description, old.cover_id, old.is_public, old.rules)
    is distinct from (new.title, new.description, new.cover_id, new.is_public, new.rules)
  )
  execute function notify_playlist_change();

create function refuse_tracks_of_smart_playlist() returns trigger language plpgsql as $$
begin
  if exists (select from changed c join playlists p on p.id = c.playlist_id where p.rules is not null) then
    raise exception 'a smart playlist has no tracks of its own' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger playlist_tracks_not_smart after insert on playlist_tracks
  referencing new table as changed
  for each statement execute function refuse_tracks_of_smart_playlist();

-- How often and when a person played what, from the index alone.
create index plays_of_person on plays (user_id, track_id, counted_at) where counted_at is not null;
create function fold_tags(tags text[]) returns text[] language sql immutable parallel safe
return array(select fold_text(tag) from unnest(tags) tag);
create index tracks_tags_folded on tracks using gin (fold_tags(tags)) where is_published;
create index tracks_moods_folded on tracks using gin (fold_tags(moods)) where is_published;
create index track_sounds_tempo on track_sounds (tempo, track_id) where tempo is not null;
