-- Messages of members to the owner, each with its answers.
create table support_threads (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references profiles (id) on delete cascade,
  subject text not null check (length(subject) between 1 and 120),
  state text not null default 'open' check (state in ('open', 'answered', 'closed')),
  -- Since when it waits for an answer.
  waiting_since timestamptz,
  last_message_at timestamptz not null,
  created_at timestamptz not null,
  check ((state = 'open') = (waiting_since is not null))
);
create index support_threads_of_person on support_threads (user_id, last_message_at desc);
create index support_threads_waiting on support_threads (waiting_since) where state = 'open';
create index support_threads_state on support_threads (state, last_message_at desc);

create table support_messages (
  id uuid primary key default uuid_v7(),
  thread_id uuid not null references support_threads (id) on delete cascade,
  -- Of the owner's side.
  is_answer boolean not null,
  -- Who wrote an answer. Null: the account was deleted, or the member wrote it.
  admin_id uuid references profiles (id) on delete set null,
  text text not null check (length(text) between 1 and 5000),
  created_at timestamptz not null
);
create index support_messages_of_thread on support_messages (thread_id, created_at, id);
create index support_messages_admin_id on support_messages (admin_id);
