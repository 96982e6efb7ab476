// Runs the background work of this process: jobs from the queue, and recurring tasks. One of them, the sweep, ends
// what has expired, sends due emails, enqueues backups and file checks, and deletes orphaned data.
import { availableParallelism } from 'node:os'
import { enqueueDueBackup, makeBackup } from './features/backup/make-backup.ts'
import { deleteExpiredTokens } from './features/keys/access-token-operations.ts'
import { deleteExpiredSessions } from './features/auth/sessions/session-operations.ts'
import { expireSubscriptions } from './features/billing/expire-subscriptions.ts'
import { startWaitingGifts } from './features/billing/gifts/redeem-gift.ts'
import { deleteUnpaidGifts, sendDueGifts } from './features/billing/gifts/send-due-gifts.ts'
import { carryOutRewards } from './features/billing/referrals/give-rewards.ts'
import { settleReferrals } from './features/billing/referrals/settle-referrals.ts'
import { createBillingMailer, deleteOldNotices } from './features/billing/notices/billing-mailer.ts'
import { deleteOldIdempotencyKeys } from './platform/http/idempotency.ts'
import { deleteOldRateLimits } from './platform/limits/limit-store.ts'
import { sweepStripeClosures } from './features/billing/stripe-closures.ts'
import {
  sendCardReminders,
  sendRenewalReminders,
} from './features/billing/upkeep/remind-members.ts'
import { sweepPriceChanges } from './features/billing/prices/change-prices.ts'
import { sweepPriceSets } from './features/billing/prices/create-prices.ts'
import { syncInvoiceDetails } from './features/billing/upkeep/sync-invoice-details.ts'
import { sweepStripeTasks } from './features/billing/upkeep/stripe-tasks.ts'
import { deleteOldBillingEvents } from './features/billing/events/stripe-webhook.ts'
import { rollUpInsights } from './features/insights/roll-up-insights.ts'
import { sendQueuedMail } from './platform/mail/mail-queue.ts'
import { deleteUnusedPlayers } from './features/playing/playing-operations.ts'
import { cutPreview, cutStalePreviews } from './features/tracks/processing/recut-preview.ts'
import {
  enqueueSoundMeasuring,
  measureSounds,
} from './features/tracks/processing/measure-sounds.ts'
import { processTrack } from './features/tracks/processing/process-track.ts'
import { retagTrack } from './features/tracks/processing/retag-track.ts'
import { readDatabaseTime } from './platform/db/database-time.ts'
import { foldRowCounts } from './platform/db/row-counts.ts'
import { purgeArtistUndos } from './features/artists/artist-undo.ts'
import { publishDuePlaylists } from './features/playlists/publish-due-playlists.ts'
import { publishDueReleases } from './features/releases/publish-due-releases.ts'
import { publishDueTracks } from './features/tracks/publish-due-tracks.ts'
import { purgeDeletions } from './features/deletions/purge-deletions.ts'
import { checkFilesSlowly, enqueueNightlyCheck } from './features/file-checks/nightly-check.ts'
import { deleteOldInvitations } from './features/invitations/invitation-operations.ts'
import { sendWaitingInvitations } from './features/invitations/send-waiting-invitations.ts'
import { runImports, stopAbandonedImports } from './features/imports/run-imports.ts'
import { repairPictures } from './features/file-checks/repair-files.ts'
import type { Services } from './services.ts'
import { sendAnnouncementMails } from './features/announcements/send-announcement-mails.ts'
import { sendFigureMails } from './features/figure-mails/send-figure-mails.ts'
import { notifyAdminsOfMessages } from './features/support/notify-admins.ts'
import { deleteOldNews, openNews } from './features/news/open-news.ts'
import { deleteOldBounces } from './features/bounces/count-report.ts'
import {
  bounceIntervalMs,
  enqueueDueBounces,
  readBounces,
} from './features/bounces/read-bounces.ts'
import { newsIntervalMs, sendNewsMails } from './features/news/send-news-mails.ts'
import { enqueueDuePushes, sendPushes } from './features/news/send-pushes.ts'
import { deleteExpiredMails } from './platform/mail/outbox-copies.ts'
import { deleteOldTrackedMails } from './platform/mail/mail-tracking.ts'
import { sweepUploads } from './features/uploads/sweep-uploads.ts'
import { sweepStorageGarbage } from './platform/storage/storage-garbage.ts'
import { deleteOldMixes } from './features/similar/mix-operations.ts'
import { enqueueNeighborUpdates, updateNeighbors } from './features/similar/update-neighbors.ts'
import { makeCard } from './features/share-cards/make-card.ts'
import { deleteOrphanedCards, enqueueNewCards } from './features/share-cards/share-cards.ts'
import { processSpot } from './features/spots/process-spot.ts'
import { deleteOldPressLinks } from './features/press-links/press-link-operations.ts'
import { deleteOldWebhookEvents } from './features/webhooks/delivery-operations.ts'
import { deliverWebhooks, enqueueDueWebhooks } from './features/webhooks/deliver-webhooks.ts'
import { checkAlerts } from './features/system/alerts.ts'

const sweepIntervalMs = 60_000
/** Maximum delay of a scheduled publication, in milliseconds. */
const publishIntervalMs = 2_000
/** Interval for sending the emails of invitation lists. */
const invitationIntervalMs = 10_000
/** Polled, because database triggers insert the deliveries and enqueue no job. */
const webhookIntervalMs = 2_000

/** Starts the worker. `stop` ends it, and the next start continues unfinished jobs. */
export async function startWorker(services: Services): Promise<{ stop: () => Promise<void> }> {
  // An encoder uses one core. All encoders have a lower priority than requests.
  const concurrency = availableParallelism()
  await services.jobs.work(
    {
      'process-track': ({ track_id }, job) => processTrack(services, track_id, job),
      'cut-preview': ({ track_id }, job) => cutPreview(services, track_id, job),
      'cut-stale-previews': (_, job) => cutStalePreviews(services, job),
      'retag-track': ({ track_id }, job) => retagTrack(services, track_id, job),
      'make-card': (item, job) => makeCard(services, item, job),
      'measure-sounds': (_, job) => measureSounds(services, job),
      'update-neighbours': (_, job) => updateNeighbors(services, job),
      'check-files': (_, job) => checkFilesSlowly(services, job),
      'repair-pictures': (_, job) => repairPictures(services, job),
      'run-imports': (_, job) => runImports(services, job),
      'make-backup': (_, job) => makeBackup(services, job),
      'process-spot': ({ item_id }, job) => processSpot(services, item_id, job),
      'deliver-webhooks': (_, job) => deliverWebhooks(services, job),
      'send-pushes': (_, job) => sendPushes(services, job),
      'read-bounces': (_, job) => readBounces(services, job),
      'send-mail': (payload, job) => sendQueuedMail(services, payload, job),
    },
    concurrency,
    services.disk.isFull,
  )
  await enqueueSoundMeasuring(services)
  const sweeping = repeat(services, 'sweeping', (signal) => sweep(services, signal))
  // Not part of the sweep, because the first run may have to aggregate the statistics of years.
  const counting = repeat(services, 'aggregating insights', async (signal) =>
    rollUpInsights(services.db, await readDatabaseTime(services.db), { signal }),
  )
  const alerting = repeat(services, 'checking for alerts', () => checkAlerts(services))
  const publishing = repeat(services, 'publishing', () => publishDue(services), publishIntervalMs)
  const sending = repeat(
    services,
    'looking for due webhooks',
    () => enqueueDueWebhooks(services),
    webhookIntervalMs,
  )
  const inviting = repeat(
    services,
    'sending invitations',
    () => sendWaitingInvitations(services),
    invitationIntervalMs,
  )
  const informing = repeat(
    services,
    'sending news',
    (signal) => sendNews(services, signal),
    newsIntervalMs,
  )
  const reading = repeat(
    services,
    'looking for bounces',
    () => enqueueDueBounces(services),
    bounceIntervalMs,
  )
  return {
    async stop() {
      const all = [sweeping, counting, alerting, publishing, sending, inviting, informing, reading]
      await Promise.all(all.map((one) => one.stop()))
    },
  }
}

/**
 * Calls `run` now and at each interval, never concurrently. If it fails repeatedly, only the first failure is logged.
 * `stop` waits until the current run has ended.
 */
function repeat(
  services: Pick<Services, 'log'>,
  what: string,
  run: (signal: AbortSignal) => Promise<unknown>,
  intervalMs = sweepIntervalMs,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<unknown> | null = null
  let isFailing = false
  const runNow = () => {
    running ??= run(stopping.signal)
      .then(() => {
        isFailing = false
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted && !isFailing) {
          services.log.warn({ err: error }, `${what} failed`)
        }
        isFailing = true
      })
      .finally(() => (running = null))
  }
  runNow()
  const timer = setInterval(runNow, intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort(new Error('the server is stopping'))
      await running
    },
  }
}

/**
 * Publishes what is due by the database's clock, as on all instances. The first run includes what became due while no
 * server was running.
 */
async function publishDue({ db }: Services): Promise<void> {
  const now = await readDatabaseTime(db)
  await publishDueReleases(db, now)
  await publishDueTracks(db, now)
  await publishDuePlaylists(db, now)
}

async function sendNews(services: Services, signal: AbortSignal): Promise<void> {
  await openNews(services.db, signal)
  await sendNewsMails(services)
  await sendAnnouncementMails(services)
  await enqueueDuePushes(services)
}

/**
 * Runs all tasks that become due with time. If one fails, for example because Stripe is unreachable, the others still
 * run.
 */
async function sweep(services: Services, signal: AbortSignal): Promise<void> {
  const { db, log, storage } = services
  const now = await readDatabaseTime(db)
  const tasks = [
    () => expireSubscriptions(db, now, createBillingMailer(services)),
    () => startWaitingGifts(db, now),
    () => sendDueGifts(services, now, createBillingMailer(services)),
    () => deleteUnpaidGifts(db, now),
    () => settleReferrals(services, now),
    () => carryOutRewards({ ...services, sendMail: createBillingMailer(services) }, now),
    () => sendRenewalReminders({ ...services, sendMail: createBillingMailer(services) }, now),
    () => sendCardReminders({ ...services, sendMail: createBillingMailer(services) }, now),
    () => sweepStripeClosures(services, now),
    () => sweepStripeTasks(services, now),
    () => sweepPriceSets(services, now),
    () => syncInvoiceDetails(services),
    () => sweepPriceChanges({ ...services, sendMail: createBillingMailer(services) }, now),
    () => deleteExpiredSessions(db, now),
    () => deleteExpiredTokens(db, now),
    () => deleteOldRateLimits(db),
    () => deleteOldIdempotencyKeys(db),
    () => deleteOldBillingEvents(db, now),
    () => deleteOldNotices(db, now),
    () => deleteUnusedPlayers(db, now),
    () => foldRowCounts(db),
    () => sweepUploads(services, now),
    () => enqueueDueBackup(services),
    () => purgeDeletions(db, signal),
    () => purgeArtistUndos(db),
    () => enqueueNightlyCheck(services, now),
    () => enqueueNeighborUpdates(services),
    () => deleteOldMixes(db, now),
    () => enqueueNewCards(services),
    () => deleteOrphanedCards(services),
    () => deleteOldPressLinks(db),
    () => deleteOldInvitations(db, now),
    () => stopAbandonedImports(db),
    () => deleteOldWebhookEvents(db),
    () => deleteOldNews(db),
    () => deleteOldBounces(db),
    () => deleteOldTrackedMails(db),
    () => deleteExpiredMails(db),
    () => notifyAdminsOfMessages(services),
    () => sendFigureMails(services, now),
    () => sweepStorageGarbage(db, storage, now, { signal }),
  ]
  for (const task of tasks) {
    if (signal.aborted) return
    try {
      await task()
    } catch (error) {
      log.warn({ err: error }, 'a run of the sweep failed')
    }
  }
}
