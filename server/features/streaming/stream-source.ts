// Selects the file of a track for a listener, according to the plan. Players send many range requests, so a track's
// files are cached in memory for a few seconds and evicted when any instance changes the track.
import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { Audience } from '#contract/fields/availability.ts'
import { getPremiumMarks } from '../availability/availability.ts'
import { isOwnedByCreator, canOpenDraft } from '../ownership/owned-by.ts'
import { canStreamFull, getPremiumReason, getStreamQuality } from '../billing/entitlements.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor } from '../../platform/operations/context.ts'
import type { ReportDamage } from '../tracks/repair-on-play.ts'

interface TrackFiles {
  is_published: boolean
  owner_id: string | null
  audience: Audience
  early_access_until: string | null
  standard: string | null
  high: string | null
  preview: string | null
  /** Storage keys of files that are known to be missing or damaged. */
  damaged: string[]
}

export interface StreamSource {
  /**
   * The storage key of the full track in the plan's quality, at most `maxQuality`. If that file is known to be damaged,
   * the key of another quality. A draft is found only for people who may edit it. Throws `track_not_found`. Throws
   * `premium_required` before the file is accessed, with the reason if the track is in early access or Premium-only.
   */
  findFull: (actor: Actor, trackId: string, maxQuality?: 'standard') => Promise<string>
  /** The other quality that the plan includes, or null if there is none. Call it after findFull(). */
  findFallback: (actor: Actor, trackId: string, storageKey: string) => Promise<string | null>
  /**
   * The storage key of the preview. Visitors may play only previews on the landing page; for others, throws
   * `unauthenticated`.
   */
  findPreview: (actor: Actor | null, trackId: string) => Promise<string>
}

const maxCachedTracks = 10_000
const cacheLifetimeMs = 10_000

export function createStreamSource(services: {
  db: Database
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>
  showcase: { has: (trackId: string) => Promise<boolean> }
  reportDamage: ReportDamage
  now: () => Date
}): StreamSource {
  const { db, bus, showcase, reportDamage, now } = services
  // Cache the promise, so that a change can evict the entry while it is being read.
  const entries = new LRUCache<string, Promise<TrackFiles | null>>({
    max: maxCachedTracks,
    ttl: cacheLifetimeMs,
  })
  bus.on('tracks', (id) => (id ? entries.delete(id) : entries.clear()))
  bus.onMissed(() => entries.clear())

  async function findAudible(actor: Actor | null, trackId: string): Promise<TrackFiles> {
    // While the event connection is down, the cache may be stale: do not use it.
    const reading = (bus.isConnected() && entries.get(trackId)) || read(trackId)
    const files = await reading
    if (!files || !(files.is_published || (actor && canOpenDraft(actor, files.owner_id)))) {
      throw new AppError('track_not_found')
    }
    return files
  }

  function read(trackId: string): Promise<TrackFiles | null> {
    const reading = readFiles(db, trackId)
    entries.set(trackId, reading)
    const evict = () => {
      if (entries.peek(trackId) === reading) entries.delete(trackId)
    }
    // Evict failed reads and unknown ids.
    reading.then((files) => files ?? evict(), evict)
    return reading
  }

  return {
    async findFull(actor, trackId, maxQuality) {
      const files = await findAudible(actor, trackId)
      requirePlan(actor, files, now())
      const key = files[maxQuality ?? getStreamQuality(actor)]
      if (!key) throw new AppError('track_not_found')
      if (!files.damaged.includes(key)) return key
      reportDamage(trackId, key)
      const other = findLowerQuality(actor, files)
      return other && !files.damaged.includes(other) ? other : key
    },
    async findFallback(actor, trackId, storageKey) {
      const files = await findAudible(actor, trackId)
      requirePlan(actor, files, now())
      const other = findLowerQuality(actor, files)
      return other === storageKey ? null : other
    },
    async findPreview(actor, trackId) {
      if (!actor && !(await showcase.has(trackId))) throw new AppError('unauthenticated')
      const { preview, damaged } = await findAudible(actor, trackId)
      if (!preview) throw new AppError('track_not_found')
      if (damaged.includes(preview)) reportDamage(trackId, preview)
      return preview
    },
  }
}

function requirePlan(actor: Actor, files: TrackFiles, now: Date): void {
  if (isOwnedByCreator(actor, files.owner_id)) return
  const reason = getPremiumReason(actor, getPremiumMarks(files), now)
  if (canStreamFull(actor, files.preview !== null, reason)) return
  throw new AppError('premium_required', reason ? { details: reason } : {})
}

/** Returns a lower quality than the plan's, never a higher one. */
function findLowerQuality(actor: Actor, files: TrackFiles): string | null {
  return getStreamQuality(actor) === 'high' ? files.standard : null
}

async function readFiles(db: Database, trackId: string): Promise<TrackFiles | null> {
  const { rows } = await sql<TrackFiles>`
    select t.is_published, t.owner_id, t.audience, t.early_access_until,
           max(r.storage_key) filter (where r.kind = 'standard') as standard,
           max(r.storage_key) filter (where r.kind = 'high') as high,
           max(r.storage_key) filter (where r.kind = 'preview') as preview,
           coalesce(array_agg(r.storage_key) filter (where s.problem is not null), '{}') as damaged
      from tracks t
      left join renditions r on r.track_id = t.id
      left join stored_files s on s.storage_key = r.storage_key and s.problem is not null
     where t.id = ${trackId} and t.deleted_at is null
     group by t.id`.execute(db.query)
  return rows[0] ?? null
}
