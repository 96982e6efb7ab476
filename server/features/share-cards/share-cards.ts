// Finds the share cards of pages, enqueues jobs that generate them, and deletes orphaned cards.
import { sql } from 'kysely'
import type { PageKind } from '#contract/public-pages.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'
import { isForEveryone } from '../availability/availability.ts'
import { findPageById } from '../public-pages/find-page.ts'
import type { PageFacts } from '../public-pages/page-facts.ts'
import type { CardAddresses } from '../public-pages/page-head.ts'
import { isReleaseForEveryone } from '../releases/release-query.ts'
import type { ReadBranding } from '../settings/branding.ts'
import { cardContent, hashContent } from './card-content.ts'
import { listCardKeys, readCardRow } from './make-card.ts'

interface ShareCardServices {
  db: Database
  jobs: JobQueue
  config: { publicUrl: string }
  branding: ReadBranding
}

/**
 * Returns the share card of a page. If it is stale or missing, enqueues a job; without a card, the link preview
 * contains the cover.
 */
export async function readCards(
  { db, jobs, config, branding }: ShareCardServices,
  facts: PageFacts,
): Promise<CardAddresses> {
  const { publicUrl } = config
  const item = { kind: facts.kind, item_id: facts.id }
  const row = await readCardRow(db, item)
  const hash = hashContent(cardContent(facts, branding()))
  if (row?.content_hash !== hash) {
    await transaction(db, (trx) => jobs.enqueue(trx, 'make-card', item, { priority: -1 }))
  }
  if (!row) {
    const cover = facts.cover_id && `${publicUrl}/media/covers/${facts.cover_id}/1024.jpg`
    return { wide: null, square: null, video: null, cover: cover || null }
  }
  const address = (file: string) => `${publicUrl}${facts.path}/${file}?v=${row.content_hash}`
  return {
    wide: address('card.jpg'),
    square: address('square.jpg'),
    video: row.video_key === null ? null : address('card.mp4'),
    cover: null,
  }
}

const batchSize = 20

/**
 * Enqueues the cards of newly published items. These are often shared soon, and messengers request a card only once.
 */
export async function enqueueNewCards({ db, jobs }: ShareCardServices): Promise<void> {
  const { rows } = await sql<{ kind: PageKind; item_id: string }>`
    select 'track' as kind, t.id as item_id from tracks t
     where ${isForEveryone('t')} and t.processing_status = 'ready' and t.updated_at > now() - interval '1 hour'
       and not exists (select from share_cards s where s.kind = 'track' and s.item_id = t.id)
    union all
    select 'release', r.id from releases r
     where ${isReleaseForEveryone} and r.updated_at > now() - interval '1 hour'
       and not exists (select from share_cards s where s.kind = 'release' and s.item_id = r.id)
     limit ${batchSize}`.execute(db.query)
  if (rows.length === 0) return
  await transaction(db, async (trx) => {
    for (const item of rows) await jobs.enqueue(trx, 'make-card', item, { priority: -1 })
  })
}

/** Deletes cards of items that no longer have a public page. Each call deletes a few. */
export async function deleteOrphanedCards({ db }: Pick<ShareCardServices, 'db'>): Promise<void> {
  const rows = await db.query
    .selectFrom('share_cards')
    .selectAll()
    .where(sql<boolean>`made_at < now() - interval '1 day'`)
    .orderBy(sql`random()`)
    .limit(batchSize)
    .execute()
  for (const row of rows) {
    if (await findPageById(db, row.kind, row.item_id)) continue
    await transaction(db, async (trx) => {
      const deleted = await trx.query
        .deleteFrom('share_cards')
        .where('kind', '=', row.kind)
        .where('item_id', '=', row.item_id)
        .returning(['wide_key', 'square_key', 'video_key'])
        .executeTakeFirst()
      await discardKeys(trx, listCardKeys(deleted))
    })
  }
}
