-- On how many tabs and devices one account may play at once, and which of its players do.

alter table settings
  add column streams_free integer not null default 1 check (streams_free between 1 and 50),
  add column streams_premium integer not null default 3 check (streams_premium between 1 and 50);

-- Unlogged: written every ten seconds by everybody who listens, and after a crash of the database
-- whatever it held would be out of date anyway.
create unlogged table players (
  user_id uuid not null references profiles (id) on delete cascade,
  -- Made by the tab, stable over a reload.
  player_id uuid not null,
  -- When it was last asked to play: the newest stay.
  started_at timestamptz not null,
  -- The last sign of life; whoever is silent for long does not play any more.
  seen_at timestamptz not null,
  -- Since when it had to give way to a newer one.
  displaced_at timestamptz,
  primary key (user_id, player_id)
) with (fillfactor = 70);
