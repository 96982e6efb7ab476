// The tracks whose previews visitors may play before they sign up: the owner's choice, or the newest ones.
import { sql } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import { landingTracksMax } from '#contract/fields/branding.ts'
import type * as contract from '#contract/showcase-tracks.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { selectPremiumMarks } from '../availability/availability.ts'
import type { Branding } from '../settings/branding.ts'
import { coverUrl } from './track-query.ts'

export interface Showcase {
  listShowcase: () => Promise<Output<typeof contract.listShowcase>>
  has: (trackId: string) => Promise<boolean>
}

/** Cached in memory, because every visitor requests these tracks; evicted when any track changes. */
export function createShowcase(
  db: Database,
  bus: Pick<EventBus, 'on' | 'onMissed'>,
  branding: () => Pick<Branding, 'landing_tracks'>,
): Showcase {
  let entry: { of: string; reading: Promise<Output<typeof contract.listShowcase>> } | null = null
  const drop = () => {
    entry = null
  }
  bus.on('tracks', drop)
  bus.onMissed(drop)
  const listShowcase = () => {
    const { landing_tracks: chosen } = branding()
    const of = chosen.join()
    if (entry?.of !== of) {
      const reading = readShowcase(db, chosen)
      entry = { of, reading }
      // Do not cache a failed query.
      reading.catch(() => {
        if (entry?.reading === reading) drop()
      })
    }
    return entry.reading
  }
  return {
    listShowcase,
    has: async (trackId) => (await listShowcase()).data.some(({ id }) => id === trackId),
  }
}

/**
 * The chosen tracks that still have a preview, in the chosen order. The newest ones if none is chosen or none remains.
 */
async function readShowcase(
  db: Database,
  chosen: readonly string[],
): Promise<Output<typeof contract.listShowcase>> {
  const found = chosen.length > 0 ? await selectShowcase(db, chosen) : []
  return { data: found.length > 0 ? found : await selectShowcase(db, null) }
}

function selectShowcase(db: Database, chosen: readonly string[] | null) {
  return db.query
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
      ...selectPremiumMarks('t'),
    ])
    .where('t.is_published', '=', true)
    .$if(chosen !== null, (query) =>
      query
        .where(sql<boolean>`t.id = any(${chosen}::uuid[])`)
        .orderBy(sql`array_position(${chosen}::uuid[], t.id)`),
    )
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(landingTracksMax)
    .execute()
}
