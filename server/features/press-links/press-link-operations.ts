// Press links let people without an account open an unpublished track, release or artist. Only a hash of each link's
// secret is stored.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import {
  maxPressLinks,
  type createPressLink as createContract,
  type deletePressLink as deleteContract,
  type listPressLinks as listContract,
  type pressKinds,
} from '#contract/admin/press-links.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { pagePath } from '#contract/public-pages.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { hashPressSecret } from '../public-pages/find-page.ts'
import { addPressSecret } from '../public-pages/page-parts.ts'

type Kind = (typeof pressKinds)[number]

const columns = [
  'id',
  'kind',
  'item_id',
  'label',
  'expires_at',
  'created_at',
  sql<boolean>`expires_at <= now()`.as('is_expired'),
] as const

export async function listPressLinks(
  ctx: MemberContext,
  { query }: ParsedInput<typeof listContract>,
): Promise<Output<typeof listContract>> {
  const data = await ctx.db.query
    .selectFrom('press_links')
    .select(columns)
    .where('kind', '=', query.kind)
    .where('item_id', '=', query.item_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { data }
}

export async function createPressLink(
  { config }: { config: { publicUrl: string } },
  ctx: MemberContext,
  { body }: ParsedInput<typeof createContract>,
): Promise<Output<typeof createContract>> {
  const { kind, item_id, label, days } = body
  const secret = randomBytes(16).toString('base64url')
  return transaction(ctx.db, async (trx) => {
    const slug = await lockItem(trx, kind, item_id)
    await refuseBeyondLimit(trx, kind, item_id)
    const created = await trx.query
      .insertInto('press_links')
      .values({
        kind,
        item_id,
        label,
        secret_hash: hashPressSecret(secret),
        expires_at: sql<string>`now() + make_interval(days => ${days}::int)`,
        created_by: ctx.actor.user_id,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    const after = { press_link: label, expires_at: created.expires_at }
    await writeAudit(ctx, trx, { action: 'update', entity: kind, entity_id: item_id, after })
    return {
      data: { ...created, url: config.publicUrl + addPressSecret(pagePath(kind, slug), secret) },
    }
  })
}

export async function deletePressLink(
  ctx: MemberContext,
  { params }: ParsedInput<typeof deleteContract>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const deleted = await trx.query
      .deleteFrom('press_links')
      .where('id', '=', params.id)
      .returning(['kind', 'item_id', 'label', 'expires_at'])
      .executeTakeFirst()
    if (!deleted) throw new AppError('not_found')
    const { kind, item_id, label, expires_at } = deleted
    const before = { press_link: label, expires_at }
    await writeAudit(ctx, trx, { action: 'update', entity: kind, entity_id: item_id, before })
  })
}

/** Deletes press links that expired more than a month ago. Until then, they are still listed. */
export async function deleteOldPressLinks(db: Database): Promise<void> {
  await db.query
    .deleteFrom('press_links')
    .where('expires_at', '<', sql<string>`now() - interval '30 days'`)
    .execute()
}

const rows: Record<Kind, (id: string) => ReturnType<typeof sql<{ slug: string }>>> = {
  track: (id) => sql`
    select s.slug from tracks t join page_slugs s on s.item_id = t.id and s.kind = 'track' and s.is_current
     where t.id = ${id} and t.deleted_at is null for no key update of t`,
  release: (id) => sql`
    select slug from releases where id = ${id} and deleted_at is null for no key update`,
  artist: (id) => sql`select slug from artists where id = ${id} for no key update`,
}

/**
 * Locks the linked item, so that links that are created concurrently are counted one after the other. Returns the
 * item's slug.
 */
async function lockItem(trx: Transaction, kind: Kind, id: string): Promise<string> {
  const found = await rows[kind](id).execute(trx.query)
  const slug = found.rows[0]?.slug
  if (slug === undefined) throw new AppError(`${kind}_not_found`)
  return slug
}

async function refuseBeyondLimit(trx: Transaction, kind: Kind, item_id: string): Promise<void> {
  const { count } = await trx.query
    .selectFrom('press_links')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .where('item_id', '=', item_id)
    .executeTakeFirstOrThrow()
  if (count >= maxPressLinks) throw new AppError('too_many_keys')
}
