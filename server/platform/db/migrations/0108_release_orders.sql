-- Lists of albums in apps read releases in these orders, beside those of tracks.
create index releases_created on releases (created_at desc, id desc) where is_published;
create index releases_artist on releases (lower(artist), lower(title), id) where is_published;
