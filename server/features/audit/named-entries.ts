// Reads audit entries with the names of the actor and the changed object: the current names, or those recorded in the
// entry if the object was deleted.
import { sql } from 'kysely'
import type { Handle } from '../../platform/db/database.ts'

/** Most entity ids are UUIDs, but the column accepts any text. */
const entityUuid = sql`(case when l.entity_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  then l.entity_id::uuid end)`

/** Starts a query over `audit_log as l`, joined with the actor as `a` and the changed object. */
export function selectNamedEntries(handle: Handle) {
  return handle.query
    .selectFrom('audit_log as l')
    .leftJoin('profiles as a', 'a.id', 'l.actor_id')
    .leftJoin('tracks as t', (join) =>
      join.on(sql<boolean>`l.entity = 'track' and t.id = ${entityUuid} and t.deleted_at is null`),
    )
    .leftJoin('playlists as p', (join) =>
      join.on(sql<boolean>`l.entity = 'playlist' and p.id = ${entityUuid}`),
    )
    .leftJoin('releases as r', (join) =>
      join.on(sql<boolean>`l.entity = 'release' and r.id = ${entityUuid} and r.deleted_at is null`),
    )
    .leftJoin('genres as g', (join) =>
      join.on(sql<boolean>`l.entity = 'genre' and g.id = ${entityUuid}`),
    )
    .leftJoin('artists as ar', (join) =>
      join.on(sql<boolean>`l.entity = 'artist' and ar.id = ${entityUuid}`),
    )
    .leftJoin('category_metadata as c', (join) =>
      join.on(sql<boolean>`l.entity = 'category' and c.id = ${entityUuid}`),
    )
    .leftJoin('profiles as u', (join) =>
      join.on(sql<boolean>`l.entity in ('user', 'subscription') and u.id = ${entityUuid}`),
    )
}

const recorded = (field: string) =>
  sql`coalesce(l.after->>${sql.lit(field)}, l.before->>${sql.lit(field)})`

export const entityName = sql<string | null>`coalesce(
  t.title, p.title, r.title, g.name, ar.name, c.display_name, u.email,
  case when l.entity = 'settings' then 'System Settings' end,
  case when l.entity = 'job' then concat_ws(': ', l.before->>'job',
    (select title from tracks where id::text = l.before->>'track_id')) end,
  ${recorded('title')}, ${recorded('display_name')}, ${recorded('name')}, ${recorded('email')})`

/** The id or key in the URL of the object's page in the back office. Null if the object was deleted or has no page. */
export const entityKey = sql<string | null>`coalesce(
  t.id::text, case when p.is_curated then p.id::text end, r.id::text, g.id::text, ar.id::text, c.category, u.id::text,
  case when l.entity = 'settings' then '1' end)`
