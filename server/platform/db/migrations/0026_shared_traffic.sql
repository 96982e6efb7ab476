-- Requests of visitors, by address and minute, for all instances together. Nothing to lose after a crash, and nothing for a
-- standby to wait for: a flood must not cost the primary more than memory.
create unlogged table traffic_counts (
  key text primary key check (length(key) <= 60),
  count int not null check (count >= 0),
  resets_at timestamptz not null
);
create index traffic_counts_resets_at_idx on traffic_counts (resets_at);
