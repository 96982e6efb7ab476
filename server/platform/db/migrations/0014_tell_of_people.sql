-- The back office's list of people is live: whoever comes in, by whichever code, and whoever asks to be
-- deleted is told of. Once a statement, so that making a million people tells once.
create function tell_of_people() returns trigger language plpgsql as $$
begin
  perform pg_notify('velour', 'users ');
  return null;
end $$;
create trigger profiles_made after insert on profiles
  for each statement execute function tell_of_people();
create trigger profiles_deletion_requested after update of deletion_requested_at on profiles
  for each statement execute function tell_of_people();
create trigger profiles_deleted after delete on profiles
  for each statement execute function tell_of_people();
