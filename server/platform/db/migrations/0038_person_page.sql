-- Notes that admins keep on a person, and indexes for the parts of a person's page and for sorted lists of people.

create table person_notes (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  -- Null once the author's account is deleted.
  author_id uuid references profiles (id) on delete set null,
  body text not null check (length(body) between 1 and 4000),
  created_at timestamptz not null default now()
);
create index person_notes_user on person_notes (user_id, created_at desc, id desc);
create index person_notes_author on person_notes (author_id);

create index audit_log_of_person on audit_log (entity_id, created_at desc, id desc)
  where entity in ('user', 'subscription');

create index profiles_name_order on profiles (nullif(lower(display_name), ''), id);
create index profiles_tier_order on profiles (subscription_tier, id);
create index profiles_status_order on profiles (subscription_status, id);
create index profiles_end_order on profiles (subscription_ends_at, id);
