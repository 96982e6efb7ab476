-- All slugs of one item, former ones included: exports of the catalogue read them per track and playlist.
create index page_slugs_item on page_slugs (item_id);
