-- What the start page of the back office counts, and what the owner decided about it.
create index tracks_failed on tracks (id) where processing_status = 'failed';
create index tracks_drafts_ready on tracks (id)
  where not is_published and not publish_when_ready and processing_status = 'ready';
create index stripe_subscriptions_unpaid on stripe_subscriptions (id)
  where status in ('past_due', 'unpaid');

-- Apart from the settings: hiding the checklist is no change that somebody could save over.
create table setup_state (
  id integer primary key default 1 check (id = 1),
  hidden_at timestamptz
);
insert into setup_state default values;

-- How new uploads say they were made, unless somebody says otherwise.
alter table settings add column default_ai_disclosure text not null default 'ai_generated'
  check (default_ai_disclosure in ('human', 'ai_assisted', 'ai_generated'));
