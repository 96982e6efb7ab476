-- What this service has sent to whom: a play counts only for audio that was sent to the account.
create table track_deliveries (
  user_id uuid not null references profiles (id) on delete cascade,
  track_id uuid not null references tracks (id) on delete cascade,
  is_preview boolean not null,
  -- Of the file; 1 is all of it. It never falls: a browser and a device play again what they hold.
  share real not null default 0 check (share between 0 and 1),
  -- The last day (UTC) on which a device fetched the whole track to keep it.
  kept_on date,
  primary key (user_id, track_id, is_preview)
) with (fillfactor = 80);
create index track_deliveries_track on track_deliveries (track_id);
create index track_deliveries_kept on track_deliveries (user_id, kept_on) where kept_on is not null;

-- What was played until now was sent, and may be on a device.
insert into track_deliveries (user_id, track_id, is_preview, share)
  select distinct user_id, track_id, is_preview, 1 from plays where counted_at is not null;

-- An account has at most as many unfinished plays as its plan has places: a newer one stops the clock of the oldest.
alter table plays add column ended_at timestamptz;
