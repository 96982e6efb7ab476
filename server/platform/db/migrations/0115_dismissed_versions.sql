-- Tracks that an admin said are no versions of each other. They are not proposed again, unless another track joins them.
create table version_dismissals (
  id uuid not null,
  track_id uuid not null references tracks on delete cascade,
  dismissed_at timestamptz not null default now(),
  primary key (id, track_id)
);
create index version_dismissals_track on version_dismissals (track_id);
