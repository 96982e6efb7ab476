-- Lists stay quick with a million people and five million entries: kept counts, an order for every column that admins
-- sort by, and word of every change to what members' lists are made of.

-- How many rows there are, by what lists count them. Changes are added as rows of their own, so that nobody waits for
-- anybody; the sum is exact in every snapshot, and the worker folds the rows together now and then.
create table people_counts (
  subscription_status text not null,
  is_premium boolean not null,
  count bigint not null
);
create table audit_counts (
  action text not null,
  entity text not null,
  count bigint not null
);

create function count_people_in() returns trigger language plpgsql as $$
begin
  insert into people_counts
    select subscription_status, subscription_tier <> 'free', count(*) from added group by 1, 2;
  return null;
end $$;
create trigger profiles_counted_in after insert on profiles
  referencing new table as added
  for each statement execute function count_people_in();

create function count_people_out() returns trigger language plpgsql as $$
begin
  insert into people_counts
    select subscription_status, subscription_tier <> 'free', -count(*) from removed group by 1, 2;
  return null;
end $$;
create trigger profiles_counted_out after delete on profiles
  referencing old table as removed
  for each statement execute function count_people_out();

create function count_person_over() returns trigger language plpgsql as $$
begin
  insert into people_counts values
    (old.subscription_status, old.subscription_tier <> 'free', -1),
    (new.subscription_status, new.subscription_tier <> 'free', 1);
  return null;
end $$;
create trigger profiles_counted_over after update of subscription_status, subscription_tier on profiles
  for each row when (
    (old.subscription_status, old.subscription_tier <> 'free')
    is distinct from (new.subscription_status, new.subscription_tier <> 'free')
  )
  execute function count_person_over();

create function count_audit_entries() returns trigger language plpgsql as $$
begin
  insert into audit_counts select action, entity, count(*) from added group by 1, 2;
  return null;
end $$;
create trigger audit_log_counted after insert on audit_log
  referencing new table as added
  for each statement execute function count_audit_entries();

-- The triggers hold both tables still until this is committed.
insert into people_counts
  select subscription_status, subscription_tier <> 'free', count(*) from profiles group by 1, 2;
insert into audit_counts select action, entity, count(*) from audit_log group by 1, 2;

create index profiles_banned on profiles (created_at desc, id desc) where banned_at is not null;
create index tracks_title on tracks (title, id);
create index tracks_artist on tracks (artist, id);
create index tracks_duration on tracks (duration, id);
create index tracks_category_order on tracks (category, id);

-- Instances keep members' lists as ready bytes. Whatever such a list is made of tells when it changes, at its commit,
-- by whichever code; how far a file is processed, and drafts, are no part of it.
create function tell_of_catalogue() returns trigger language plpgsql as $$
begin
  perform pg_notify('velour', 'catalogue ');
  return null;
end $$;
create trigger tracks_listed after insert on tracks
  for each row when (new.is_published) execute function tell_of_catalogue();
create trigger tracks_unlisted after delete on tracks
  for each row when (old.is_published) execute function tell_of_catalogue();
create trigger tracks_listed_otherwise after update on tracks
  for each row when (
    (old.is_published or new.is_published)
    and (old.is_published, old.title, old.artist, old.category, old.genre, old.description, old.tags, old.explicit,
         old.cover_id, old.duration, old.loudness_lufs, old.true_peak_dbtp, old.ai_disclosure, old.ai_tool,
         old.lyrics is null, old.created_at)
        is distinct from
        (new.is_published, new.title, new.artist, new.category, new.genre, new.description, new.tags, new.explicit,
         new.cover_id, new.duration, new.loudness_lufs, new.true_peak_dbtp, new.ai_disclosure, new.ai_tool,
         new.lyrics is null, new.created_at)
  )
  execute function tell_of_catalogue();
create trigger renditions_listed after insert or update or delete on renditions
  for each statement execute function tell_of_catalogue();
create trigger categories_listed after insert or update or delete on category_metadata
  for each statement execute function tell_of_catalogue();

-- What a member likes is kept too, until they like or unlike something.
create function tell_of_like() returns trigger language plpgsql as $$
begin
  perform pg_notify('velour', 'likes ' || coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger likes_told after insert or delete on likes
  for each row execute function tell_of_like();
