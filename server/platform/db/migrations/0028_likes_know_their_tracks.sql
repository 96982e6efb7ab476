-- What somebody likes is listed newest track first. Each like keeps when its track was made, so that one index has that
-- order: a page of fifty reads fifty tracks, of a thousand likes and among a million tracks. Likes that are there already
-- are filled by the next migration, because nobody can read the table until this one is committed.
alter table likes add column track_created_at timestamptz;

create function keep_when_liked_track_was_made() returns trigger language plpgsql as $$
begin
  select created_at into new.track_created_at from tracks where id = new.track_id;
  return new;
end $$;
create trigger likes_know_their_tracks before insert on likes
  for each row execute function keep_when_liked_track_was_made();

-- A copy of what never changes cannot be wrong.
create function refuse_other_creation() returns trigger language plpgsql as $$
begin
  raise exception 'when a track was made does not change' using errcode = 'check_violation', constraint = 'tracks_made_once';
end $$;
create trigger tracks_made_once before update of created_at on tracks
  for each row when (old.created_at is distinct from new.created_at) execute function refuse_other_creation();
