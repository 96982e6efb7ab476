-- What members can continue, and the orders of lists of tracks.

-- The lists that a member listened from, each once, with the track that it stopped at.
create table listening_contexts (
  user_id uuid not null references profiles (id) on delete cascade,
  kind text not null check (kind in ('playlist', 'release', 'artist', 'radio', 'likes')),
  -- The id of the playlist, release or artist. Of a radio: 'track:ID', 'playlist:ID', 'artist:NAME' or 'likes'.
  ref text not null check (length(ref) <= 400),
  track_id uuid not null references tracks (id) on delete cascade,
  played_at timestamptz not null,
  primary key (user_id, kind, ref)
);
create index listening_contexts_newest on listening_contexts (user_id, played_at desc);
create index listening_contexts_track on listening_contexts (track_id);

create index tracks_published_artist on tracks (lower(artist), id) where is_published;
create index tracks_published_duration on tracks (duration, id) where is_published;

-- Shelves are cached, and a change of a member's own playlist sends no other event.
create function notify_shelves_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('velour', 'shelves ' || old.created_by);
  return null;
end $$;
create trigger playlists_notify_shelves after update of title, cover_id on playlists for each row
  when (not old.is_curated and old.created_by is not null
        and (old.title, old.cover_id) is distinct from (new.title, new.cover_id))
  execute function notify_shelves_change();
create trigger playlists_notify_shelves_delete after delete on playlists for each row
  when (not old.is_curated and old.created_by is not null)
  execute function notify_shelves_change();
