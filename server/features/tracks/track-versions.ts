// Links tracks as versions of one song, and proposes tracks that may be versions of each other.
import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import {
  maxVersionProposals,
  maxVersions,
  type VersionProposal,
  type VersionTrack,
} from '#contract/admin/track-versions.ts'
import type * as contract from '#contract/admin/track-versions.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { lockTrack } from './admin-track-fields.ts'
import { findAdminTrack } from './admin-track-query.ts'

export async function getTrackVersions(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.getTrackVersions>,
): Promise<Output<typeof contract.getTrackVersions>> {
  await findAdminTrack(ctx.db, id)
  const data = await findVersions(ctx.db, id)
  return { data, proposals: await findProposals(ctx.db, sql`t.id = ${id}`) }
}

export async function listVersionProposals(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listVersionProposals>,
): Promise<Output<typeof contract.listVersionProposals>> {
  return { data: await findProposals(ctx.db, sql`t.import_batch = ${query.batch}`) }
}

/** Links tracks. Throws `track_not_found`, `too_many_versions`. */
export async function linkTrackVersions(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.linkTrackVersions>,
): Promise<void> {
  // Lock in id order, so that two calls for the same tracks do not deadlock.
  const ids = [...new Set(body.track_ids.map((id) => id.toLowerCase()))].toSorted()
  await transaction(ctx.db, async (trx) => {
    for (const id of ids) await lockTrack(trx, id)
    // A track cannot be linked to itself alone: do nothing.
    if (ids.length < 2) return
    const groupId = randomUUID()
    const { rows } = await sql<{ track_id: string }>`
      insert into track_versions (track_id, group_id)
      select id, ${groupId}::uuid from unnest(${ids}::uuid[]) id
      union
      select v.track_id, ${groupId}::uuid
        from track_versions v
       where v.group_id in (select group_id from track_versions where track_id = any(${ids}::uuid[]))
      on conflict (track_id) do update set group_id = excluded.group_id
      returning track_id`.execute(trx.query)
    if (rows.length > maxVersions) throw new AppError('too_many_versions')
    for (const id of ids) {
      const after = { versions: ids.filter((other) => other !== id) }
      await writeAudit(ctx, trx, { action: 'update', entity: 'track', entity_id: id, after })
      await notify(trx, 'tracks', id)
    }
  })
}

/** Hides a proposal of versions. Throws `track_not_found`. */
export async function dismissVersionProposal(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.dismissVersionProposal>,
): Promise<void> {
  const ids = [...new Set(body.track_ids.map((id) => id.toLowerCase()))]
  await transaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ track_id: string }>`
      insert into version_dismissals (id, track_id)
      select ${randomUUID()}::uuid, t.id from tracks t where t.id = any(${ids}::uuid[]) and t.deleted_at is null
      returning track_id`.execute(trx.query)
    if (rows.length !== ids.length) throw new AppError('track_not_found')
    for (const id of ids) {
      const after = { no_versions: ids.filter((other) => other !== id) }
      await writeAudit(ctx, trx, { action: 'update', entity: 'track', entity_id: id, after })
    }
  })
}

/** Removes a track from its group of versions. Does nothing if it has no versions. Throws `track_not_found`. */
export async function unlinkTrackVersion(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.unlinkTrackVersion>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await lockTrack(trx, id)
    const before = { versions: (await findVersions(trx, id)).map((track) => track.id) }
    await deleteVersion(trx, id)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'track',
      entity_id: id,
      before,
      after: { versions: [] },
    })
    await notify(trx, 'tracks', id)
  })
}

/** Removes a track from its group of versions. Also deletes the group if only one track remains. */
async function deleteVersion(trx: Transaction, id: string): Promise<void> {
  const row = await trx.query
    .deleteFrom('track_versions')
    .where('track_id', '=', id)
    .returning('group_id')
    .executeTakeFirst()
  if (!row) return
  await sql`
    delete from track_versions
     where group_id = ${row.group_id}
       and (select count(*) from track_versions where group_id = ${row.group_id}) = 1`.execute(
    trx.query,
  )
}

async function findVersions(db: Handle, id: string): Promise<VersionTrack[]> {
  return db.query
    .selectFrom('track_versions as own')
    .innerJoin('track_versions as other', 'other.group_id', 'own.group_id')
    .innerJoin('tracks as t', 't.id', 'other.track_id')
    .select(['t.id', 't.title', 't.artist', 't.duration', 't.is_published'])
    .where('own.track_id', '=', id)
    .where('t.id', '<>', id)
    .where('t.deleted_at', 'is', null)
    .orderBy('t.created_at')
    .orderBy('t.id')
    .execute()
}

/**
 * Matches the endings of titles that mark a version, such as `(v2)`, `- Take 3`, `[Remix]` and `(2)`. The rest of the
 * title is compared in lower case.
 */
const endOfTitle = String.raw`\s*([([]\s*\d+\s*[)\]]|([([]|\s-|\s)\s*(v|ver|version|take|alt|variant|remaster|remastered|extended|edit|cover|remix|instrumental|acoustic|live)\.?\s*\d*\s*[)\]]?)\s*$`

/**
 * Returns groups of tracks that may be versions but are not linked yet. At least one track of each group matches
 * `condition`. Tracks made from the same prompt are proposed once, regardless of their titles.
 */
async function findProposals(
  db: Handle,
  condition: RawBuilder<unknown>,
): Promise<VersionProposal[]> {
  const { rows } = await sql<VersionProposal>`
    with keys as (
      select t.id, 'prompt' as by, md5(concat_ws(e'\n', o.tool, o.prompt, o.style)) as key, ${condition} as is_meant
        from tracks t join track_origins o on o.track_id = t.id
       where t.deleted_at is null and coalesce(o.prompt, '') <> ''
      union all
      select t.id, 'title', lower(t.artist) || e'\n' || regexp_replace(lower(t.title), ${endOfTitle}, ''), ${condition}
        from tracks t
       where t.deleted_at is null and lower(t.artist) in (select lower(t.artist) from tracks t where ${condition})
    ), found as (
      select k.by, array_agg(k.id order by k.id) as ids
        from keys k left join track_versions v on v.track_id = k.id
       group by k.by, k.key
      having bool_or(k.is_meant) and count(*) between 2 and ${maxVersions}::int
         and (count(distinct v.group_id) <> 1 or count(v.group_id) < count(*))
    ), proposed as (
      select distinct on (ids) by, ids from found
       where not exists (
         select from version_dismissals d where d.track_id = any(found.ids)
          group by d.id having count(*) = cardinality(found.ids))
       order by ids, by
    )
    select p.by,
           (select jsonb_agg(jsonb_build_object('id', t.id, 'title', t.title, 'artist', t.artist,
                             'duration', t.duration, 'is_published', t.is_published) order by t.created_at, t.id)
              from tracks t where t.id = any(p.ids)) as tracks
      from proposed p
     order by p.ids
     limit ${maxVersionProposals}::int`.execute(db.query)
  return rows
}
