-- What a creator makes belongs to them. Null: the service's own, of its admins and editors, as everything before.
-- In a creator's transaction `velour.creator` is their id, so every way of inserting stores the owner.
alter table tracks add column owner_id uuid references profiles (id) on delete set null
  default nullif(current_setting('velour.creator', true), '')::uuid;
alter table releases add column owner_id uuid references profiles (id) on delete set null
  default nullif(current_setting('velour.creator', true), '')::uuid;
alter table artists add column owner_id uuid references profiles (id) on delete set null
  default nullif(current_setting('velour.creator', true), '')::uuid;
create index tracks_owner on tracks (owner_id, created_at desc) where owner_id is not null;
create index releases_owner on releases (owner_id, created_at desc) where owner_id is not null;
create index artists_owner on artists (owner_id) where owner_id is not null;

-- A draft that its creator has sent for review, and what became of it. While one is waiting, its creator cannot change
-- the draft.
create table reviews (
  id uuid primary key default uuid_v7(),
  kind text not null check (kind in ('track', 'release')),
  item_id uuid not null,
  title text not null check (length(title) <= 300),
  owner_id uuid not null references profiles (id) on delete cascade,
  note text not null default '' check (length(note) <= 2000),
  state text not null default 'waiting' check (state in ('waiting', 'published', 'returned', 'withdrawn')),
  answer text not null default '' check (length(answer) <= 2000),
  submitted_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references profiles (id) on delete set null,
  -- When the creator saw the decision.
  seen_at timestamptz,
  check ((state = 'waiting') = (decided_at is null))
);
create unique index reviews_waiting on reviews (kind, item_id) where state = 'waiting';
create index reviews_queue on reviews (submitted_at, id) where state = 'waiting';
create index reviews_owner on reviews (owner_id, id desc);
create index reviews_decided_by on reviews (decided_by);

-- Whatever publishes or deletes the draft decides its review, too.
create function close_review() returns trigger language plpgsql as $$
begin
  update reviews
     set state = case when new.deleted_at is null then 'published' else 'withdrawn' end, decided_at = now()
   where kind = tg_argv[0] and item_id = new.id and state = 'waiting';
  return null;
end $$;
create trigger tracks_close_review after update of is_published, publish_when_ready, deleted_at on tracks
  for each row when (new.owner_id is not null
                     and (new.is_published or new.publish_when_ready or new.deleted_at is not null))
  execute function close_review('track');
create trigger releases_close_review after update of is_published, deleted_at on releases
  for each row when (new.owner_id is not null and (new.is_published or new.deleted_at is not null))
  execute function close_review('release');
