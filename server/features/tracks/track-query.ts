// The only SELECT for tracks in the API's response format, used by every list of tracks. Callers add conditions, joins
// and order. Operations for members must restrict it to published tracks.
import { sql } from 'kysely'
import { isForEveryone, selectPremiumMarks } from '../availability/availability.ts'
import type { ReleaseOfTrack } from '#contract/fields/release-fields.ts'
import type { Handle } from '../../platform/db/database.ts'
import { formatTimestamp } from '../../platform/db/json-rows.ts'
import { lineArtists } from '../credits/credit-query.ts'
import { matchesFolded } from '../../platform/db/search-pattern.ts'

/** A track's first published release. Not an SQL function, because PostgreSQL would not inline it. */
const firstRelease = sql<ReleaseOfTrack | null>`(
  select json_build_object('id', r.id, 'title', r.title, 'slug', r.slug, 'kind', r.kind)
    from release_tracks e join releases r on r.id = e.release_id
   where e.track_id = t.id and r.is_published
   order by r.released_on, r.id limit 1)`

/** The current slug of the track row `t`. */
export const trackSlug = sql<string>`(
  select s.slug from page_slugs s where s.item_id = t.id and s.kind = 'track' and s.is_current)`

/** Starts a query over `tracks as t` that selects the columns that both members and admins receive. */
export function selectTrackColumns(db: Handle, credits = lineArtists('t.id')) {
  return db.query
    .selectFrom('tracks as t')
    .leftJoin('images as cover', 'cover.id', 't.cover_id')
    .leftJoin('renditions as preview', (join) =>
      join.onRef('preview.track_id', '=', 't.id').on('preview.kind', '=', 'preview'),
    )
    .select([
      't.id',
      trackSlug.as('slug'),
      sql<string>`case when ${isForEveryone('t')} then '/t/' || ${trackSlug} else '/browse?track=' || t.id end`.as(
        'share_url',
      ),
      't.title',
      't.artist',
      credits.as('artists'),
      't.category',
      selectTrackCategories('t').as('categories'),
      't.moods',
      't.genre',
      't.description',
      't.tags',
      't.explicit',
      't.duration',
      coverUrl('t.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      sql<string>`'/api/tracks/' || t.id || '/stream'`.as('audio_url'),
      sql<
        string | null
      >`case when preview.id is not null then '/api/tracks/' || t.id || '/preview' end`.as(
        'preview_url',
      ),
      sql<number | null>`floor(preview.duration_seconds)::int`.as('preview_seconds'),
      't.loudness_lufs',
      't.true_peak_dbtp',
      't.ai_disclosure',
      't.ai_tool',
      ...selectPremiumMarks('t'),
      firstRelease.as('release'),
    ])
    .where('t.deleted_at', 'is', null)
}

/**
 * Whether the track with the id in `trackId` is not deleted. Uses only the id, so that the index alone suffices to
 * count and skip rows. There are few deleted tracks, and they are looked up once per query.
 */
export function isNotDeleted(trackId: `${string}.${string}`) {
  return sql<boolean>`${sql.ref(trackId)} <> all (array(select id from tracks where deleted_at is not null))`
}

/**
 * Starts a query over `tracks as t` that selects the contract's `track`, including whether the given member likes it.
 */
export function selectTracks(db: Handle, actorUserId: string, credits = lineArtists('t.id')) {
  return selectTrackColumns(db, credits).select([
    sql<boolean>`t.lyrics is not null`.as('has_lyrics'),
    formatTimestamp('t.created_at').as('created_at'),
    sql<boolean>`exists (select from likes l where l.track_id = t.id and l.user_id = ${actorUserId})`.as(
      'is_liked',
    ),
  ])
}

/** URL of a cover in medium size, or null. The picture with a given id never changes. */
export function coverUrl(column: `${string}.cover_id` | `${string}.picture_id`) {
  return sql<string | null>`'/media/covers/' || ${sql.ref(column)} || '/384.webp'`
}

/** All categories of a track in order, including the first. */
export function selectTrackCategories(alias: string) {
  return sql<
    string[]
  >`categories_of(${sql.ref(`${alias}.category`)}, ${sql.ref(`${alias}.more_categories`)})`
}

/** Whether the track row `t` is in the category. Both columns have an index. */
export function isInCategory(category: string) {
  return sql<boolean>`(t.category = ${category}
    or t.more_categories <> '{}' and t.more_categories @> array[${category}])`
}

/** Matches a substring of title, artist, categories, genre or moods. Ignores case and accents. */
export function matchesSearch(q: string) {
  // The first condition must be written like the index expression, or PostgreSQL does not use the index.
  return sql<boolean>`(${matchesFolded('t.search_folded', q)}
    or (t.more_categories <> '{}' or t.moods <> '{}')
       and folded_labels(t.more_categories, t.moods) like search_pattern(${q}))`
}
