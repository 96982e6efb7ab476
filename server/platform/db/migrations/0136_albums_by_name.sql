-- Apps copy the catalogue in pages of albums by name. Every page reads the order from its start, so the index contains the
-- columns themselves: an index on an expression alone does not spare the table.
create index tracks_published_by_title on tracks (lower(title), id) include (title) where is_published;
create index tracks_published_by_artist on tracks (lower(artist), lower(title), id) include (artist, title)
  where is_published;
