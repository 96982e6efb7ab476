// Test cases for searches. Both the web app (search-text.ts) and the server's SQL are tested against them.

/** A query, and a title that it matches. */
export const foundTitles: readonly (readonly [q: string, title: string])[] = [
  ['ANGSTROM', 'Ångström'],
  ['ångström', 'Angstrom'],
  ['cafe del mar', 'Café del Mar'],
  ['strasse', 'Straße im Regen'],
  ['STRAẞE', 'strasse'],
  ['soren', 'Søren'],
  ['lodz', 'Łódź'],
  ['aether', 'Æther'],
  ['oeuvre', 'Œuvre'],
  ['dorde', 'Đorđe'],
  ['thor', 'Þór'],
  ['istanbul', 'İstanbul ılık'],
  ['ILIK', 'İstanbul ılık'],
  ['sigur ros', 'Sigur Rós'],
  ['dvorak', 'Dvořák'],
  ['tieng viet', 'Tiếng Việt'],
  ['AC/DC', 'AC/DC'],
  ['ac dc', 'AC/DC'],
  ['dont stop', 'Don’t Stop'],
  ["don't", "Don't Stop"],
  ['rem', 'R.E.M.'],
  ['r.e.m.', 'R.E.M.'],
  ['100%', '100% Rain'],
  ['!!!', '!!!'],
  ['雨夜', '昨日の雨夜'],
  ['full', 'Ｆｕｌｌ'],
  ['ёлка', 'ЕЛКА'],
  ['ηχώς', 'ΗΧΩΣ'],
  ['🎵', 'Rain 🎵'],
]

/** A query, and a title that it does not match. */
export const otherTitles: readonly (readonly [q: string, title: string])[] = [
  ['%', 'Rain'],
  ['100%', '100 Days'],
  ['_', 'Rain'],
  ['\\', 'Rain'],
  ['雨夜', '雨の夜'],
  ['acdc', 'AC/DC'],
  ['rai n', 'Rain'],
]

/** A query, and titles from the most to the least relevant. */
export const rankedTitles: readonly (readonly [q: string, titles: readonly string[]])[] = [
  ['rain', ['Rain', 'Rainbow', 'Night Rain', 'Terrain']],
  ['élan', ['Elan', 'Élance', 'Mon élan', 'Délano']],
  ['ac dc', ['AC/DC', 'AC-DC Live', 'The AC/DC', 'Mac DC']],
]
