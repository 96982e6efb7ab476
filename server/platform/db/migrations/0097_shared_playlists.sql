-- Shared playlists: people whom the owner let in by a link, and their latest changes.

create table playlist_members (
  playlist_id uuid not null references playlists (id) on delete cascade,
  user_id uuid not null references profiles (id) on delete cascade,
  role text not null check (role in ('editor', 'viewer')),
  joined_at timestamptz not null default now(),
  primary key (playlist_id, user_id)
);
create index playlist_members_user on playlist_members (user_id, joined_at desc);

-- One link for each role. A new one replaces the old one; deleting the row revokes it.
create table playlist_invitations (
  playlist_id uuid not null references playlists (id) on delete cascade,
  role text not null check (role in ('editor', 'viewer')),
  -- SHA-256 of the token: it is random, so a slow hash would add nothing.
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (playlist_id, role)
);

-- No foreign key, as in audit_log: deleting a person must not search this table. Null: the owner.
alter table playlist_tracks add column added_by uuid;

-- Changes of tracks in the last day: a repeated request changes nothing, and a person can undo their own last change.
create table playlist_changes (
  -- Changes of one playlist are serialized by its row, so this is their order.
  number bigint generated always as identity primary key,
  playlist_id uuid not null references playlists (id) on delete cascade,
  user_id uuid not null references profiles (id) on delete cascade,
  -- Chosen by the client.
  operation_id uuid not null,
  -- What undoes it; null: it was too large to keep.
  inverse jsonb,
  undone_at timestamptz,
  created_at timestamptz not null default now(),
  unique (playlist_id, operation_id)
);
create index playlist_changes_user on playlist_changes (user_id, playlist_id, number desc);

-- Sends the event `shared-playlists` to everybody who shares one of the playlists.
create function notify_playlist_sharers(changed uuid[]) returns void language sql as $$
  select count(pg_notify('velour', 'shared-playlists ' || who.user_id || '/' || who.playlist_id))
    from (
      select m.playlist_id, m.user_id from playlist_members m where m.playlist_id = any(changed)
      union
      select p.id, p.created_by from playlist_members m join playlists p on p.id = m.playlist_id
       where m.playlist_id = any(changed) and p.created_by is not null
    ) who
$$;

create function notify_playlist_tracks_change() returns trigger language plpgsql as $$
begin
  perform notify_playlist_sharers(array(select distinct playlist_id from changed));
  return null;
end $$;
create trigger playlist_tracks_notify_added after insert on playlist_tracks
  referencing new table as changed
  for each statement execute function notify_playlist_tracks_change();
create trigger playlist_tracks_notify_moved after update on playlist_tracks
  referencing new table as changed
  for each statement execute function notify_playlist_tracks_change();
create trigger playlist_tracks_notify_deleted after delete on playlist_tracks
  referencing old table as changed
  for each statement execute function notify_playlist_tracks_change();

create function notify_playlist_change() returns trigger language plpgsql as $$
begin
  perform notify_playlist_sharers(array[old.id]);
  return coalesce(new, old);
end $$;
create trigger playlists_notify after update on playlists
  for each row when (
    (old.title, old.description, old.cover_id, old.is_public)
    is distinct from (new.title, new.description, new.cover_id, new.is_public)
  )
  execute function notify_playlist_change();
-- Before, because its members are deleted with it.
create trigger playlists_notify_deleted before delete on playlists
  for each row execute function notify_playlist_change();

create function notify_playlist_members_change() returns trigger language plpgsql as $$
begin
  perform notify_playlist_sharers(array(select distinct playlist_id from changed));
  -- Those who left, and the owner even if nobody is left.
  if tg_op = 'DELETE' then
    perform pg_notify('velour', 'shared-playlists ' || user_id || '/' || playlist_id) from changed;
    perform pg_notify('velour', 'shared-playlists ' || created_by || '/' || id)
       from playlists where id in (select playlist_id from changed) and created_by is not null;
  end if;
  return null;
end $$;
create trigger playlist_members_joined after insert on playlist_members
  referencing new table as changed
  for each statement execute function notify_playlist_members_change();
create trigger playlist_members_changed after update on playlist_members
  referencing new table as changed
  for each statement execute function notify_playlist_members_change();
create trigger playlist_members_left after delete on playlist_members
  referencing old table as changed
  for each statement execute function notify_playlist_members_change();
