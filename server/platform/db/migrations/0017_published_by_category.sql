-- What members see of a category, counted and listed without visiting a row.
create index tracks_published_category on tracks (category, created_at desc, id desc) where is_published;
