// Reads the start page of the back office. It uses daily aggregates and partial indexes, so its cost does not grow with
// the number of plays.
import { sql } from 'kysely'
import { averageDays, type Overview } from '#contract/admin/admin-overview.ts'
import type * as contract from '#contract/admin/admin-overview.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { readBackupStatus } from '../backup/backup-status.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { selectDays, listCurrencies } from '../insights/insight-operations.ts'
import { figuresSource } from '../insights/figures-source.ts'
import { addDays, toUtcDay } from '../insights/roll-up-insights.ts'
import { jobNames } from '../../platform/jobs/job-kinds.ts'
import { getDiskSpace, type SystemServices } from '../system/system-operations.ts'
import { listSetupSteps } from './setup-steps.ts'

export async function getAdminOverview(
  services: SystemServices,
  ctx: MemberContext,
): Promise<Overview> {
  const [numbers, counts, disk, backups] = await Promise.all([
    readNumbers(ctx),
    readCounts(ctx.db),
    getDiskSpace(services),
    readBackupStatus(services),
  ])
  const last_backup_at = backups.last_good_at
  const {
    has_own_tracks,
    has_published_tracks,
    are_prices_saved,
    has_webhook_secret,
    is_hidden,
    ...attention
  } = counts
  const backup = !backups.is_overdue ? 'ok' : last_backup_at === null ? 'none' : 'old'
  const { level, host, free_bytes } = disk
  return {
    ...numbers,
    attention: { ...attention, disk: { level, host, free_bytes }, backup },
    last_backup_at,
    setup: {
      is_hidden,
      steps: listSetupSteps(services, {
        last_backup_at,
        has_own_tracks,
        has_published_tracks,
        are_prices_saved,
        has_webhook_secret,
      }),
    },
  }
}

async function readNumbers({
  db,
  now,
}: MemberContext): Promise<Pick<Overview, 'days' | 'usual' | 'currency' | 'counted_at'>> {
  const today = toUtcDay(now())
  const source = figuresSource('real')
  const [currency] = await listCurrencies(db, source)
  const [{ rows }, state] = await Promise.all([
    selectDays({ start: addDays(today, -averageDays), end: today }, currency, source).execute(
      db.query,
    ),
    db.query
      .selectFrom('insight_state')
      .select([
        'rolled_at',
        sql<string | null>`(select to_char(min(day), 'YYYY-MM-DD') from insight_days)`.as('first'),
      ])
      .executeTakeFirstOrThrow(),
  ])
  const days = rows.map(({ day, plays, listeners, sign_ups, revenue_cents, refunds_cents }) => {
    return { day, plays, listeners, sign_ups, net_cents: revenue_cents - refunds_cents }
  })
  const before = days.filter(({ day }) => day < today && state.first !== null && day >= state.first)
  const average = (name: 'plays' | 'listeners' | 'sign_ups' | 'net_cents') =>
    before.reduce((sum, day) => sum + day[name], 0) / before.length
  return {
    days,
    usual:
      before.length === 0
        ? null
        : {
            plays: average('plays'),
            listeners: average('listeners'),
            sign_ups: average('sign_ups'),
            net_cents: average('net_cents'),
          },
    currency,
    counted_at: state.rolled_at,
  }
}

interface Counts {
  failed_jobs: number
  failed_tracks: number
  drafts_ready: number
  deletion_requests: number
  failed_payments: number
  has_own_tracks: boolean
  has_published_tracks: boolean
  are_prices_saved: boolean
  has_webhook_secret: boolean
  is_hidden: boolean
}

async function readCounts(db: Database): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select count(*) from jobs.job where state = 'failed' and name = any(${jobNames}))
             as failed_jobs,
           (select count(*) from tracks where processing_status = 'failed' and deleted_at is null)
             as failed_tracks,
           (select count(*) from tracks
             where not is_published and not publish_when_ready and processing_status = 'ready'
               and deleted_at is null and release_at is null
               -- Exclude tracks that are published with their release.
               and not exists (select from release_tracks e join releases r on r.id = e.release_id
                                where e.track_id = tracks.id and r.release_at is not null and r.deleted_at is null))
             as drafts_ready,
           (select count(*) from profiles where deletion_requested_at is not null)
             as deletion_requests,
           (select count(*) from stripe_subscriptions where status in ('past_due', 'unpaid'))
             as failed_payments,
           exists (select from tracks t where t.deleted_at is null and not exists (
             select from demo_steps d where d.track_id = t.id)) as has_own_tracks,
           exists (select from tracks t where t.is_published and t.deleted_at is null and not exists (
             select from demo_steps d where d.track_id = t.id)) as has_published_tracks,
           (select updated_at is not null from settings where id = 1) as are_prices_saved,
           (select stripe_webhook_secret <> '' from settings where id = 1) as has_webhook_secret,
           exists (select from setup_state where hidden_at is not null) as is_hidden`.execute(
    db.query,
  )
  return rows[0]!
}

export async function setSetupHidden(
  ctx: MemberContext,
  { body: { is_hidden } }: ParsedInput<typeof contract.setSetupHidden>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const hidden_at = is_hidden ? ctx.now().toISOString() : null
    await trx.query
      .insertInto('setup_state')
      .values({ id: 1, hidden_at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ hidden_at }))
      .execute()
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      after: { setup_checklist: is_hidden ? 'hidden' : 'shown' },
    })
  })
}
