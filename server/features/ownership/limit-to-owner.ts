// Limits creators to their own content, in one place for all operations. The ownership of the named tracks and releases
// is checked before the operation, and again in each of its transactions just before the commit.
import { type RawBuilder, sql } from 'kysely'
import type { Endpoint, OwnedFields } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { addTransactionHooks } from '../../platform/audit/audited-database.ts'
import type { Database, Handle, Transaction } from '../../platform/db/database.ts'
import type { LimitToOwner } from '../../platform/http/route.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { readIds } from './read-ids.ts'

type Kind = 'track' | 'release'
const kinds = ['track', 'release'] as const
type Ids = Record<Kind, string[]>

interface Limits {
  userId: string
  own: Ids
  drafts: Ids
}

const notFound = {
  track: 'track_not_found',
  release: 'release_not_found',
} as const satisfies Record<Kind, ErrorCode>

/**
 * Checks a creator's request and returns the database handle for the operation. Throws `track_not_found`,
 * `release_not_found`, `review_locked`, `review_needed`.
 */
export const limitToOwner: LimitToOwner = async (db, endpoint, actor, input) => {
  const limits = { userId: actor.user_id, ...readNames(endpoint, input) }
  await requireOwn(db, limits)
  if (endpoint.method === 'GET') return db
  refusePublishing(input.body)
  return watchForCreator(db, limits)
}

function readNames(
  { owned, method, path }: Pick<Endpoint, 'method' | 'path' | 'owned'>,
  input: unknown,
): Pick<Limits, 'own' | 'drafts'> {
  if (!owned) throw new Error(`${method} ${path} does not declare what a creator owns`)
  const { own = {}, drafts = {} } = owned === 'filtered' ? {} : owned
  return { own: idsOf(own, input), drafts: idsOf(drafts, input) }
}

function idsOf(fields: OwnedFields, input: unknown): Ids {
  const idsIn = (paths: readonly string[] = []) => [
    ...new Set(paths.flatMap((path) => readIds(input, path))),
  ]
  return { track: idsIn(fields.track), release: idsIn(fields.release) }
}

/**
 * Throws if the body publishes a track or release, now or on a date: creators publish only through a review. Searches
 * nested objects too, because bulk changes have these fields deeper in the body.
 */
function refusePublishing(body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    const isWanted = publishing.has(name) ? value === true : name === 'release_at' && value !== null
    if (isWanted && value !== undefined) throw new AppError('review_needed')
    refusePublishing(value)
  }
}

const publishing: ReadonlySet<string> = new Set(['is_published', 'publish', 'publish_tracks'])

function watchForCreator(db: Database, limits: Limits): Database {
  let foreignBefore = new Set<string>()
  return addTransactionHooks(db, {
    async afterBegin(trx) {
      await sql`select set_config('velour.creator', ${limits.userId}, true)`.execute(trx.query)
      foreignBefore = await findForeignCredits(trx, limits.userId)
    },
    async beforeCommit(trx) {
      // Run the deferred trigger that turns artist texts into credits, so that the check reads the new credits.
      await sql`set constraints all immediate`.execute(trx.query)
      await requireOwn(trx, limits, sql`for update`)
      const foreign = await findForeignCredits(trx, limits.userId)
      if ([...foreign].some((credit) => !foreignBefore.has(credit)))
        throw new AppError('artist_not_yours')
    },
  })
}

async function requireOwn(
  handle: Handle,
  { userId, own, drafts }: Limits,
  lock: RawBuilder<unknown> = sql``,
): Promise<void> {
  for (const kind of kinds) {
    const ids = [...new Set([...own[kind], ...drafts[kind]])]
    if (ids.length === 0) continue
    const rows = await readItems(handle, kind, ids, lock)
    const items = new Map(rows.map((row) => [row.id, row]))
    const foreign = ids.find((id) => items.get(id.toLowerCase())?.owner_id !== userId)
    if (foreign !== undefined) throw new AppError(notFound[kind], { details: { id: foreign } })
    const locked = drafts[kind].find((id) => items.get(id.toLowerCase())?.is_locked)
    if (locked !== undefined) throw new AppError('review_locked', { details: { id: locked } })
  }
}

interface Item {
  id: string
  owner_id: string | null
  /** Whether the item, or for a track its release, is public, scheduled or in a pending review. */
  is_locked: boolean
}

async function readItems(
  handle: Handle,
  kind: Kind,
  ids: string[],
  lock: RawBuilder<unknown>,
): Promise<Item[]> {
  const table = sql.table(kind === 'track' ? 'tracks' : 'releases')
  const willBePublic = kind === 'track' ? sql`i.publish_when_ready` : sql`false`
  const inRelease = sql`w.kind = 'release' and w.item_id in (select e.release_id from release_tracks e where e.track_id = i.id)`
  const { rows } = await sql<Item>`
    select i.id, i.owner_id,
           (i.is_published or i.release_at is not null or ${willBePublic}
            or exists (select from reviews w
                        where w.state = 'waiting'
                          and ((w.kind = ${kind} and w.item_id = i.id)
                               or (${kind}::text = 'track' and ${inRelease})))) as is_locked
      from ${table} i where i.id = any(${ids}::uuid[]) order by i.id ${lock}`.execute(handle.query)
  return rows
}

/** Returns the credits on this person's items to artists that the person does not own. */
async function findForeignCredits(trx: Transaction, userId: string): Promise<Set<string>> {
  const { rows } = await sql<{ credit: string }>`
    select t.id || ' ' || a.id as credit
      from tracks t join track_credits c on c.track_id = t.id join artists a on a.id = c.artist_id
     where t.owner_id = ${userId} and a.owner_id is distinct from t.owner_id
    union all
    select r.id || ' ' || a.id
      from releases r join release_credits c on c.release_id = r.id join artists a on a.id = c.artist_id
     where r.owner_id = ${userId} and a.owner_id is distinct from r.owner_id`.execute(trx.query)
  return new Set(rows.map(({ credit }) => credit))
}
