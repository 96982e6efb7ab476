-- When and for whom a release can be heard: the rule that tracks and curated playlists have.
update releases set release_zone = 'UTC' where release_at is not null and coalesce(release_zone, '') = '';
alter table releases
  drop constraint releases_early_access_days_check,
  drop constraint releases_release_zone_check,
  add check (early_access_days between 0 and 365),
  add check (length(release_zone) <= 64),
  add check (release_at is null or coalesce(release_zone, '') <> '');

-- Workers look for what is due every few seconds.
create index releases_scheduled on releases (release_at) where release_at is not null;
