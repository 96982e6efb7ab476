// Creates a track from a finished upload; used by both create and import. Assigns the uploaded file to the track,
// enqueues processing after the commit, writes the audit entry and notifies all instances.
import { sql, type Insertable } from 'kysely'
import type { Audience } from '#contract/fields/availability.ts'
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { claimFiles } from '../../platform/storage/stored-files.ts'
import type { FinishedUpload } from '../uploads/use-upload.ts'
import { creditArtistText, writeCredits, type ResolvedCredit } from '../credits/write-credits.ts'
import { toAuditedTrack } from './admin-track-fields.ts'
import { findAdminTrack } from './admin-track-query.ts'

/**
 * If `credits` is absent, a credit is created from the text in `artist`. `source` is the result of useUpload() in the
 * same transaction.
 */
export async function insertTrack(
  services: { jobs: JobQueue },
  ctx: MemberContext,
  trx: Transaction,
  source: FinishedUpload,
  fields: Insertable<Tables['tracks']>,
  credits: readonly ResolvedCredit[] | null = null,
) {
  await claimFiles(trx, [source])
  const { id } = await trx.query
    .insertInto('tracks')
    .values({
      // Default values come from the settings. `fields` may override them.
      ai_disclosure: sql<AiDisclosure>`(select default_ai_disclosure from settings where id = 1)`,
      audience: sql<Audience>`(select default_audience from settings where id = 1)`,
      ...fields,
      source_key: source.storageKey,
      source_mime: source.mime,
      source_bytes: source.byteSize,
      source_sha256: source.sha256,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (credits) await writeCredits(ctx, trx, id, credits)
  else await creditArtistText(trx, id)
  await services.jobs.enqueue(trx, 'process-track', { track_id: id })
  const track = await findAdminTrack(trx, id)
  await writeAudit(ctx, trx, {
    action: 'create',
    entity: 'track',
    entity_id: id,
    after: toAuditedTrack(track),
  })
  await notify(trx, 'tracks', id)
  return track
}
