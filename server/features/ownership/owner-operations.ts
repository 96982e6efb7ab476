// Assigns tracks, releases and artists to creators. An assigned item appears in the creator's lists. Its plays,
// including earlier ones, appear in the creator's statistics.
import { sql } from 'kysely'
import type { OwnedItem, OwnedKind } from '#contract/creators/owners.ts'
import type * as contract from '#contract/creators/owners.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { writeAuditEntries } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

const tables = { track: 'tracks', release: 'releases', artist: 'artists' } as const
const notFound = {
  track: 'track_not_found',
  release: 'release_not_found',
  artist: 'artist_not_found',
} as const satisfies Record<OwnedKind, ErrorCode>

type Item = Pick<OwnedItem, 'kind' | 'id'>

export async function findOwners(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.findOwners>,
): Promise<Output<typeof contract.findOwners>> {
  const found = await Promise.all(
    byKind(body.items).map(([kind, items]) => readOwners(ctx.db, kind, idsOf(items))),
  )
  return { data: found.flat() }
}

async function readOwners(handle: Handle, kind: OwnedKind, ids: string[]) {
  const { rows } = await sql<{ id: string; owner_id: string | null; owner_name: string | null }>`
    select i.id, i.owner_id, coalesce(nullif(p.display_name, ''), p.email) as owner_name
      from ${sql.table(tables[kind])} i left join profiles p on p.id = i.owner_id
     where i.id = any(${ids}::uuid[]) ${isNotDeleted(kind)}
     order by i.id`.execute(handle.query)
  return rows.map((row) => ({ kind, ...row }))
}

/**
 * Returns the SQL condition that excludes deleted items. Deleted artists have no row, so there is nothing to exclude.
 */
function isNotDeleted(kind: OwnedKind) {
  return kind === 'artist' ? sql`` : sql`and i.deleted_at is null`
}

/**
 * Assigns items to owners or removes their owners. Throws `track_not_found`, `release_not_found`, `artist_not_found`,
 * `owner_not_creator`.
 */
export async function changeOwners(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.changeOwners>,
): Promise<Output<typeof contract.changeOwners>> {
  return transaction(ctx.db, async (trx) => {
    await requireCreators(trx, body.items)
    const parts = body.with_parts ? await findParts(trx, body.items) : []
    const named = new Set(body.items.map(nameOf))
    const wanted = [...body.items, ...parts.filter((part) => !named.has(nameOf(part)))]
    const before: OwnedItem[] = []
    for (const [kind, items] of byKind(wanted)) {
      before.push(...(await changeKind(ctx, trx, kind, items)))
    }
    if (before.length > 0) {
      await withdrawReviews(ctx, trx, before)
      for (const event of ['tracks', 'releases', 'reviews'] as const) await notify(trx, event)
    }
    return { data: before }
  })
}

async function requireCreators(trx: Transaction, items: readonly OwnedItem[]): Promise<void> {
  const ids = [...new Set(items.flatMap(({ owner_id }) => owner_id ?? []))]
  if (ids.length === 0) return
  const { rows } = await sql<{ user_id: string }>`
    select user_id from user_roles where user_id = any(${ids}::uuid[]) and role = 'creator'
       for share`.execute(trx.query)
  if (rows.length !== ids.length) throw new AppError('owner_not_creator')
}

/** Returns the tracks and releases without an owner that belong to the given releases and artists. */
async function findParts(trx: Transaction, items: readonly OwnedItem[]): Promise<OwnedItem[]> {
  const given = items.filter(({ kind }) => kind !== 'track')
  const { rows } = await sql<OwnedItem>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) g (kind text, id uuid, owner_id uuid)
    ), parts as (
      select 'track' as kind, e.track_id as id, g.owner_id
        from given g join release_tracks e on g.kind = 'release' and e.release_id = g.id
      union all
      select 'track', c.track_id, g.owner_id
        from given g join track_credits c on g.kind = 'artist' and c.artist_id = g.id and c.role = 'main'
         and not exists (select from track_credits o where o.track_id = c.track_id and o.position < c.position)
      union all
      select 'release', c.release_id, g.owner_id
        from given g join release_credits c on g.kind = 'artist' and c.artist_id = g.id
         and not exists (select from release_credits o where o.release_id = c.release_id and o.position < c.position)
    )
    select distinct on (p.kind, p.id) p.kind, p.id, p.owner_id from parts p
      left join tracks t on p.kind = 'track' and t.id = p.id
      left join releases r on p.kind = 'release' and r.id = p.id
     where coalesce(t.owner_id, r.owner_id) is null and coalesce(t.deleted_at, r.deleted_at) is null
     order by p.kind, p.id`.execute(trx.query)
  return rows
}

/** Changes the owners of items of one kind. Returns the changed items with their previous owners. */
async function changeKind(
  ctx: MemberContext,
  trx: Transaction,
  kind: OwnedKind,
  items: readonly OwnedItem[],
): Promise<OwnedItem[]> {
  const wanted = new Map(items.map(({ id, owner_id }) => [id.toLowerCase(), owner_id]))
  // Lock in id order, so that two calls for the same items do not deadlock.
  const { rows } = await sql<{ id: string; owner_id: string | null }>`
    select i.id, i.owner_id from ${sql.table(tables[kind])} i
     where i.id = any(${[...wanted.keys()]}::uuid[]) ${isNotDeleted(kind)}
     order by i.id for update`.execute(trx.query)
  const present = new Set(rows.map(({ id }) => id))
  const missing = [...wanted.keys()].find((id) => !present.has(id))
  if (missing !== undefined) throw new AppError(notFound[kind], { details: { id: missing } })
  const changed = rows.filter(({ id, owner_id }) => owner_id !== wanted.get(id))
  if (changed.length === 0) return []
  const ids = changed.map(({ id }) => id)
  await sql`
    update ${sql.table(tables[kind])} i set owner_id = w.owner_id
      from unnest(${ids}::uuid[], ${ids.map((id) => wanted.get(id) ?? null)}::uuid[]) w (id, owner_id)
     where i.id = w.id`.execute(trx.query)
  await writeAuditEntries(
    ctx,
    trx,
    changed.map(({ id, owner_id }) => ({
      action: 'update',
      entity: kind,
      entity_id: id,
      before: { owner_id },
      after: { owner_id: wanted.get(id) ?? null },
    })),
  )
  return changed.map((row) => ({ kind, ...row }))
}

/**
 * Withdraws the pending reviews of these items, because the previous owner can no longer change the draft or withdraw
 * the review.
 */
async function withdrawReviews(
  ctx: MemberContext,
  trx: Transaction,
  items: readonly Item[],
): Promise<void> {
  await trx.query
    .updateTable('reviews')
    .set({ state: 'withdrawn', decided_at: ctx.now().toISOString() })
    .where('state', '=', 'waiting')
    .where('item_id', 'in', idsOf(items))
    .execute()
}

const nameOf = ({ kind, id }: Item) => `${kind} ${id.toLowerCase()}`
const idsOf = (items: readonly Item[]) => items.map(({ id }) => id)

function byKind<One extends Item>(items: readonly One[]): [OwnedKind, One[]][] {
  return [...Map.groupBy(items, ({ kind }) => kind)]
}
