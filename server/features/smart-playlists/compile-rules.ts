// Compiles the rules of a smart playlist to SQL. Every value is a parameter, and all column names are constants in this
// file. Rules about plays and likes use those of the reader, so nobody can find out what the owner plays.
import { sql, type RawBuilder } from 'kysely'
import type { SmartOrder, SmartRule, SmartRules } from '#contract/fields/smart-rules.ts'
import { isInCategory } from '../tracks/track-query.ts'

const dayMs = 24 * 3_600_000

type Condition = RawBuilder<boolean>
type RuleOf<Kind extends SmartRule['kind']> = Extract<SmartRule, { kind: Kind }>

export interface Reader {
  userId: string
  now: Date
}

/** Whether the query joins the number of the reader's plays as `h`. */
interface Counting extends Reader {
  countsPlays: boolean
}

/** Builds a query for the ids of the matching published tracks, in order, at most `rules.limit`. */
export function compileRules(rules: SmartRules, reader: Reader): RawBuilder<{ id: string }> {
  const counting = { ...reader, countsPlays: usesPlays(rules) }
  const groups = rules.groups.map((group) =>
    combine(
      group.match,
      group.rules.map((rule) => compileRule(rule, counting)),
    ),
  )
  const matches = combine(rules.match, groups)
  const { order, limit } = rules
  if (isByPlays(order)) return sortByPlays(playOrders[order], matches, limit, reader)
  const heard = counting.countsPlays
    ? sql`left join (${plays(reader)}) h on h.track_id = t.id`
    : sql``
  const liked =
    order === 'liked_last'
      ? sql`left join likes l on l.track_id = t.id and l.user_id = ${reader.userId}::uuid`
      : sql``
  return sql<{ id: string }>`
    select t.id from tracks t ${heard} ${liked}
     where t.is_published and ${matches}
     order by ${orders[order](reader)}
     limit ${limit}`
}

/**
 * Sorts played and unplayed tracks separately, because each list is either short or sorted by an index. The second list
 * is read only until the limit is reached. Sorting both together would read the whole catalogue.
 */
function sortByPlays(
  { isPlayedFirst, played, unplayed }: PlayOrder,
  matches: Condition,
  limit: number,
  reader: Reader,
): RawBuilder<{ id: string }> {
  const heard = sql`select t.id from heard h join tracks t on t.id = h.track_id
    where t.is_published and ${matches} order by ${played}`
  // `not in` keeps the order of an index. An anti-join may compare each track with all played tracks.
  const others = sql`select t.id from tracks t
    cross join (select null::bigint as plays, null::timestamptz as heard_at) h
    where t.is_published and t.id not in (select track_id from heard) and ${matches} order by ${unplayed}`
  const [first, second] = isPlayedFirst ? [heard, others] : [others, heard]
  return sql<{ id: string }>`
    with heard as materialized (${plays(reader)}),
    first as materialized (select id, row_number() over () as place from (${first} limit ${limit}) f),
    second as (select id, row_number() over () as place from (
      select id from (${second} limit ${limit}) most
       limit greatest(0, ${limit}::int - (select count(*) from first))) s)
    select id from (
      select 1 as part, place, id from first union all select 2, place, id from second) parts
     order by part, place`
}

function combine(match: 'all' | 'any', conditions: readonly Condition[]): Condition {
  return sql<boolean>`(${sql.join([...conditions], match === 'all' ? sql` and ` : sql` or `)})`
}

function usesPlays({ groups, order }: SmartRules): boolean {
  return isByPlays(order) || groups.some((group) => group.rules.some(countsPlays))
}

function countsPlays(rule: SmartRule): boolean {
  if (rule.kind === 'number') return rule.field === 'plays' && !isAboutFirstPlay(rule)
  return (rule.kind === 'days' || rule.kind === 'day') && rule.field === 'heard'
}

/** Whether the rule means "played" or "never played". A single play decides that, so plays need not be counted. */
function isAboutFirstPlay({ operator, value }: RuleOf<'number'>): boolean {
  return operator === 'at_least' ? value > 0 && value <= 1 : value < 1
}

const hasPlay = ({ userId }: Reader) => sql<boolean>`exists (
  select from plays p where p.user_id = ${userId}::uuid and p.track_id = t.id and p.counted_at is not null)`

const plays = ({ userId }: Reader) => sql`
  select track_id, count(*) as plays, max(counted_at) as heard_at from plays
   where user_id = ${userId}::uuid and counted_at is not null group by track_id`

function compileRule(rule: SmartRule, reader: Counting): Condition {
  switch (rule.kind) {
    case 'text':
      return compileText(rule)
    case 'number':
      return compileNumber(rule, reader)
    case 'days':
      return compileDate(
        rule.field,
        new Date(reader.now.getTime() - rule.value * dayMs).toISOString(),
        rule.operator === 'in_last',
      )
    case 'day':
      return compileDate(rule.field, `${rule.value}T00:00:00Z`, rule.operator === 'since')
    case 'liked':
      return rule.value ? isLikedBy(reader) : sql<boolean>`not ${isLikedBy(reader)}`
    case 'sounds_like':
      return compileSimilar(rule)
  }
}

const isLikedBy = ({ userId }: Reader) =>
  sql<boolean>`exists (select from likes k where k.track_id = t.id and k.user_id = ${userId}::uuid)`

/**
 * A condition for which PostgreSQL can use an index. `search_folded` also contains other fields, so the match must be
 * checked as well.
 */
const mayContain = (value: string) => sql`t.search_folded like search_pattern(${value})`

const textColumns = {
  title: sql`fold_text(t.title)`,
  artist: sql`fold_text(t.artist)`,
} as const

function compileText({ field, operator, value }: RuleOf<'text'>): Condition {
  const isEqual = operator === 'is' || operator === 'is_not'
  const found = findText(field, value, isEqual)
  if (operator === 'is' || operator === 'contains') return found
  return sql<boolean>`(${found}) is not true`
}

function findText(field: RuleOf<'text'>['field'], value: string, isEqual: boolean): Condition {
  const matches = (column: RawBuilder<unknown>) =>
    isEqual
      ? sql<boolean>`${column} = fold_text(${value})`
      : sql<boolean>`${column} like search_pattern(${value})`
  switch (field) {
    case 'mood':
    case 'tag': {
      const words = field === 'mood' ? sql`t.moods` : sql`t.tags`
      return isEqual
        ? sql<boolean>`fold_tags(${words}) @> array[fold_text(${value})]`
        : sql<boolean>`exists (select from unnest(${words}) word where ${matches(sql`fold_text(word)`)})`
    }
    case 'release':
      return sql<boolean>`t.id in (
        select e.track_id from release_tracks e join releases r on r.id = e.release_id
         where r.is_published and ${matches(sql`fold_text(r.title)`)})`
    case 'category':
      return isEqual
        ? isInCategory(value)
        : sql<boolean>`exists (select from unnest(categories_of(t.category, t.more_categories)) name where ${matches(sql`name`)})`
    case 'genre':
      // Compare the names of genres, of which there are few, and find their tracks with an index.
      return sql<boolean>`t.genre = any (array(select g.name from genres g where ${matches(sql`fold_text(g.name)`)}))`
    case 'title':
    case 'artist':
      return sql<boolean>`(${mayContain(value)} and ${matches(textColumns[field])})`
  }
}

function compileNumber(rule: RuleOf<'number'>, reader: Counting): Condition {
  const { field, operator, value } = rule
  const comparison = operator === 'at_least' ? sql`>=` : sql`<=`
  switch (field) {
    case 'duration':
      return sql<boolean>`t.duration ${comparison} ${value}`
    case 'bpm':
      return sql<boolean>`t.id in (select track_id from track_sounds where tempo ${comparison} ${value})`
    case 'plays':
      return comparePlays(rule, reader)
  }
}

function comparePlays({ operator, value }: RuleOf<'number'>, reader: Counting): Condition {
  if (operator === 'at_most') {
    return value < 1
      ? sql<boolean>`not ${hasPlay(reader)}`
      : sql<boolean>`coalesce(h.plays, 0) <= ${value}`
  }
  if (value <= 0) return sql<boolean>`true`
  // A condition without coalesce, so that PostgreSQL can start from the played tracks.
  return reader.countsPlays ? sql<boolean>`h.plays >= ${value}` : hasPlay(reader)
}

/**
 * Compiles a rule about a date. `isSince` means at that time or later, otherwise before it. Tracks that were never
 * played match "before".
 */
function compileDate(field: RuleOf<'days'>['field'], moment: string, isSince: boolean): Condition {
  const at = sql`${moment}::timestamptz`
  switch (field) {
    case 'added':
      return isSince ? sql<boolean>`t.created_at >= ${at}` : sql<boolean>`t.created_at < ${at}`
    case 'heard':
      return isSince
        ? sql<boolean>`h.heard_at >= ${at}`
        : sql<boolean>`coalesce(h.heard_at < ${at}, true)`
    case 'released': {
      // Compares the date of the track's first published release. For a track without a release, compares the time when
      // it was added.
      const since = sql<boolean>`(
        t.id in (select track_id from ${dated} d where d.released_on >= (${at} at time zone 'UTC')::date)
        or (t.created_at >= ${at} and t.id not in (select track_id from ${dated} d)))`
      return isSince ? since : sql<boolean>`not ${since}`
    }
  }
}

const dated = sql`(
  select e.track_id, min(r.released_on) as released_on
    from release_tracks e join releases r on r.id = e.release_id
   where r.is_published group by e.track_id)`

function compileSimilar({ what, id }: RuleOf<'sounds_like'>): Condition {
  if (what === 'track') {
    return sql<boolean>`t.id = any (coalesce(
      (select neighbour_ids from track_neighbours where track_id = ${id}::uuid), '{}'))`
  }
  return sql<boolean>`t.id = any (array(
    select unnest(n.neighbour_ids) from track_neighbours n
      join track_credits c on c.track_id = n.track_id
     where c.artist_id = ${id}::uuid and c.role in ('main', 'featured')))`
}

type ByPlays = 'most_played' | 'least_played' | 'heard_last' | 'heard_longest_ago'

interface PlayOrder {
  isPlayedFirst: boolean
  played: RawBuilder<unknown>
  unplayed: RawBuilder<unknown>
}

const newestFirst = sql`t.created_at desc, t.id desc`

/** The sort orders that depend on plays. */
const playOrders: Record<ByPlays, PlayOrder> = {
  most_played: {
    isPlayedFirst: true,
    played: sql`h.plays desc, ${newestFirst}`,
    unplayed: newestFirst,
  },
  least_played: {
    isPlayedFirst: false,
    played: sql`h.plays, ${newestFirst}`,
    unplayed: newestFirst,
  },
  heard_last: { isPlayedFirst: true, played: sql`h.heard_at desc, t.id`, unplayed: sql`t.id` },
  heard_longest_ago: { isPlayedFirst: false, played: sql`h.heard_at, t.id`, unplayed: sql`t.id` },
}

const isByPlays = (order: SmartOrder): order is ByPlays => order in playOrders

/** Each order ends with the id, so that tracks with equal values keep the same order on all pages. */
const orders: Record<Exclude<SmartOrder, ByPlays>, (reader: Reader) => RawBuilder<unknown>> = {
  newest: () => sql`t.created_at desc, t.id desc`,
  oldest: () => sql`t.created_at, t.id`,
  title: () => sql`lower(t.title), t.id`,
  artist: () => sql`t.artist, t.id`,
  liked_last: () => sql`l.created_at desc nulls last, t.id`,
  shortest: () => sql`t.duration, t.id`,
  longest: () => sql`t.duration desc, t.id desc`,
  // The order changes every day, but stays the same for all pages on one day.
  random: ({ now }) =>
    sql`uuid_hash_extended(t.id, ${Math.floor(now.getTime() / dayMs)}::bigint), t.id`,
}
