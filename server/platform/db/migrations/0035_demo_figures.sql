-- The demo looks used: its accounts have a history, and its admin sees figures. All of it is marked here or stands in
-- tables of its own, so that it can be taken away with the demo and never counts among the real figures.

-- What the demo made for its accounts: plays by id, likes by track, playlists by id.
create table demo_activity (
  user_id uuid not null references profiles (id) on delete cascade,
  kind text not null check (kind in ('play', 'like', 'playlist')),
  item_id uuid not null,
  primary key (user_id, kind, item_id)
);

-- Made-up figures, in the shape of insight_days, track_days and money_days.
create table demo_insight_days (
  day date primary key,
  starts integer not null,
  plays integer not null,
  previews integer not null,
  completed integer not null,
  heard_seconds bigint not null,
  listeners integer not null,
  listeners_7d integer not null,
  sign_ups integer not null
);
create table demo_track_days (
  day date not null,
  track_id uuid not null references tracks (id) on delete cascade,
  starts integer not null,
  plays integer not null,
  previews integer not null,
  completed integer not null,
  heard_seconds bigint not null,
  left_at integer[] not null check (cardinality(left_at) = 21),
  conversions integer not null,
  primary key (track_id, day)
);
create table demo_money_days (
  day date not null,
  currency text not null,
  revenue_cents bigint not null,
  refunds_cents bigint not null,
  mrr_cents bigint not null,
  paying integer not null,
  lost integer not null,
  conversions integer not null,
  preview_conversions integer not null,
  primary key (day, currency)
);

-- Every count of plays leaves the demo's accounts out.
create index profiles_demo on profiles (id) where is_demo;
