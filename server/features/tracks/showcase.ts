// What a visitor may play before signing up: the previews of the six newest published tracks.
import { sql } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import type * as contract from '#contract/showcase-tracks.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { premiumMarksIn } from '../availability/availability.ts'
import { coverUrl } from './track-query.ts'

const showcaseSize = 6

export interface Showcase {
  listShowcase: () => Promise<Output<typeof contract.listShowcase>>
  has: (trackId: string) => Promise<boolean>
}

/** Cached in memory, because every visitor requests it; evicted when any track changes. */
export function createShowcase(db: Database, bus: Pick<EventBus, 'on' | 'onMissed'>): Showcase {
  let kept: Promise<Output<typeof contract.listShowcase>> | null = null
  const drop = () => {
    kept = null
  }
  bus.on('tracks', drop)
  bus.onMissed(drop)
  const listShowcase = () => {
    if (!kept) {
      const reading = readShowcase(db)
      kept = reading
      // A failed query is not cached.
      reading.catch(() => {
        if (kept === reading) drop()
      })
    }
    return kept
  }
  return {
    listShowcase,
    has: async (trackId) => (await listShowcase()).data.some(({ id }) => id === trackId),
  }
}

async function readShowcase(db: Database): Promise<Output<typeof contract.listShowcase>> {
  const data = await db.query
    .selectFrom('tracks as t')
    .innerJoin('renditions as preview', (join) =>
      join.onRef('preview.track_id', '=', 't.id').on('preview.kind', '=', 'preview'),
    )
    .leftJoin('images as cover', 'cover.id', 't.cover_id')
    .select([
      't.id',
      't.title',
      't.artist',
      't.duration',
      coverUrl('t.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      sql<string>`'/api/tracks/' || t.id || '/preview'`.as('preview_url'),
      sql<number>`floor(preview.duration_seconds)::int`.as('preview_seconds'),
      sql<string | null>`translate(encode(t.peaks, 'base64'), e'\n', '')`.as('peaks'),
      't.ai_disclosure',
      ...premiumMarksIn('t'),
    ])
    .where('t.is_published', '=', true)
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(showcaseSize)
    .execute()
  return { data }
}
