// Filters the audit trail by actor and by changed object. Each filter accepts a name, an email address, an id or the
// start of an id.
import { sql } from 'kysely'
import { searchPattern } from '../../platform/db/search-pattern.ts'

const uuidShape = '00000000-0000-0000-0000-000000000000'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Completes the start of an id to a full id by repeating `digit`, for the bounds of a range. */
const completeId = (prefix: string, digit: string) =>
  prefix + uuidShape.slice(prefix.length).replaceAll('0', digit)

/**
 * Returns an id or its first 8 or more characters, without the trailing dots of an abbreviated id. Null for any other
 * text.
 */
function parseIdPrefix(words: string): string | null {
  const prefix = words.trim().toLowerCase().replace(/\.+$/, '')
  return prefix.length >= 8 && uuid.test(completeId(prefix, '0')) ? prefix : null
}

/** Matches the actor by 'system', an id, or a substring of the person's email address or name. */
export function matchesActor(words: string) {
  const prefix = parseIdPrefix(words)
  if (prefix !== null) {
    const [first, last] = [completeId(prefix, '0'), completeId(prefix, 'f')]
    return sql<boolean>`l.actor_id between ${first}::uuid and ${last}::uuid`
  }
  const pattern = searchPattern(words)
  const people = sql<boolean>`l.actor_id in (
    select id from profiles where email like ${pattern} or lower(display_name) like ${pattern})`
  if (words.trim().toLowerCase() !== 'system') return people
  return sql<boolean>`(l.actor_id is null or ${people})`
}

/** Matches the changed object by id, or by a substring of its current name or of its name when it was deleted. */
export function matchesEntity(words: string) {
  const prefix = parseIdPrefix(words)
  if (prefix !== null) return sql<boolean>`l.entity_id like ${`${prefix}%`}`
  const pattern = searchPattern(words)
  return sql<boolean>`l.entity_id in (
    select id::text from tracks where lower(title) like ${pattern}
    union all select id::text from playlists where is_curated and lower(title) like ${pattern}
    union all select id::text from releases where deleted_at is null and lower(title) like ${pattern}
    union all select id::text from genres where lower(name) like ${pattern}
    union all select id::text from artists where lower(name) like ${pattern}
    union all select id::text from category_metadata where lower(display_name) like ${pattern}
    union all select id::text from profiles
               where email like ${pattern} or lower(display_name) like ${pattern}
    union all select entity_id from audit_log
               where action = 'delete'
                 and lower(coalesce(before->>'title', before->>'display_name', before->>'name'))
                     like ${pattern})`
}
