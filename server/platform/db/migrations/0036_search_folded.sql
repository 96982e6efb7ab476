-- Search ignores case and accents. These functions are the one definition of how a text is folded for that; the columns
-- hold the folded texts, because folding a hundred thousand titles for each search would take seconds.
-- unaccent() is not used: it is not immutable, and its rules differ between versions of PostgreSQL.

-- NFKD takes accents off the letters; what has no decomposition is mapped by hand. contract/search-text.ts
-- has the same rules for the web app.
create function fold_text(value text) returns text language sql immutable parallel safe
return case
  -- Only ASCII: most titles, and ten times as fast.
  when octet_length(value) = length(value) then lower(value)
  else replace(replace(replace(replace(
    translate(
      regexp_replace(lower(normalize(value, NFKD)), '[\u0300-\u036f]', '', 'g'),
      'øđðħıłŋŧƀǥɨɉʉƶɍɇȼƒς', 'oddhilntbgijuzrecfσ'
    ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
end;

-- The words of a folded text, so that "ac dc" finds "AC/DC" and "dont" finds "Don't".
create function folded_words(folded text) returns text language sql immutable parallel safe
return btrim(regexp_replace(
  regexp_replace(folded, '[.''’‘`´ʼ]', '', 'g'),
  '[-/\\–—_:;,!?&+*#%@|"“”„«»()\[\]{}<>~= ]+', ' ', 'g'));

-- A search text as a pattern for LIKE on a folded column. Its own %, _ and \ mean themselves.
create function search_pattern(q text) returns text language sql immutable parallel safe
return '%' || regexp_replace(fold_text(btrim(q)), '([\\%_])', '\\\1', 'g') || '%';

-- The folded fields of a track or playlist, separated by the unit separator, which keeps a search from matching across
-- two of them. The words of title and artist stand last, empty where they are the same as the folded text.
create function folded_fields(title text, artist text, category text, genre text) returns text
language sql immutable parallel safe
return fold_text(title) || e'\x1f' || fold_text(artist) || e'\x1f' || fold_text(category) || e'\x1f' || fold_text(genre)
  || e'\x1f' || coalesce(nullif(folded_words(fold_text(title)), fold_text(title)), '')
  || e'\x1f' || coalesce(nullif(folded_words(fold_text(artist)), fold_text(artist)), '');

-- How well folded fields match a folded search text: 4 the title is it, 3 the title begins with it, 2 a word of the title
-- begins with it, 1 it is part of the artist, 0 of anything else.
create function search_rank(fields text, q text) returns integer language sql immutable parallel safe
return case
  when starts_with(fields, q || e'\x1f') or split_part(fields, e'\x1f', 5) = q then 4
  when starts_with(fields, q) or starts_with(split_part(fields, e'\x1f', 5), q) then 3
  when strpos(' ' || split_part(fields, e'\x1f', 1), ' ' || q) > 0
    or strpos(' ' || split_part(fields, e'\x1f', 5), ' ' || q) > 0 then 2
  when strpos(split_part(fields, e'\x1f', 2), q) > 0 or strpos(split_part(fields, e'\x1f', 6), q) > 0 then 1
  else 0
end;

-- search_text and its index are what the release before searches; they can go once no instance of it runs.
alter table tracks add column search_folded text not null generated always as (
  folded_fields(title, artist, coalesce(category, ''), coalesce(genre, ''))) stored;
create index tracks_search_folded on tracks using gin (search_folded gin_trgm_ops);

alter table playlists add column search_folded text not null generated always as (
  folded_fields(title, '', coalesce(description, ''), '')) stored;
