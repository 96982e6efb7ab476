// Every advisory lock of this database (PostgreSQL documentation, section 13.3.5). The numbers and names must never
// change, because two versions of Velour take the same locks during an upgrade.
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/** Session locks, held until they are released or the session ends. */
export const sessionLocks = {
  /** Serializes changes of the schema and of the roles' rights. */
  migrate: 8_356_871_001,
  /** Backups take this lock as shared. The deletion of stored files takes it exclusively. */
  keepObjects: 8_356_871_002,
  /** Serializes the aggregation of the Insights statistics. */
  rollUpInsights: 8_356_871_006,
  /** Serializes writes to the backup target. */
  backupTarget: 8_356_871_075,
} as const

/** Locks that database functions take. */
export const triggerLocks = {
  /** 0086_playlist_summaries.sql: serializes transactions that change the summaries of several playlists. */
  playlistSummaries: 8_356_871_086,
  /** 0090_artists.sql: serializes transactions that create artists. */
  newArtists: 8_356_871_090,
} as const

/** Transaction locks. Each name says what the lock serializes. */
export const lockNames = {
  /** Payments and refunds of one customer. Taken before the lock `charge`. */
  customer: (customerId: string) => `customer ${customerId}`,
  charge: (chargeId: string) => `charge ${chargeId}`,
  /** Refund requests for one payment, because their sum is limited. */
  refund: (paymentId: string) => `refund ${paymentId}`,
  /** Referrals whose friends pay with the same card, because each card earns only one reward. */
  referralCard: (cardHash: string) => `referral card ${cardHash}`,
  /** Downloads of tracks for offline use by one person. */
  keptTracks: (userId: string) => `kept ${userId}`,
  /** Playback reports of one person. */
  plays: (userId: string) => `plays ${userId}`,
  /** Spots shown to one person. */
  spots: (userId: string) => `spots ${userId}`,
  /** Imports of recordings with the same content. */
  recording: (sha256: string) => sha256,
  /** Imports of the same generated song. Taken after the lock `recording`. */
  sourceSong: (sourceId: string) => `source ${sourceId}`,
  /** Imports of recordings that are compared by their sound. Taken after the locks `recording` and `sourceSong`. */
  fingerprints: () => 'fingerprints',
  /** Confirming proposed releases, because a track is proposed only while it is on no release. */
  releaseProposals: () => 'release proposals',
  /** Requests with the same Idempotency-Key of one account. */
  idempotencyKey: (id: string) => `idempotency ${id}`,
  /** Choosing a free slug for a release. */
  releaseSlugs: () => 'release slugs',
  /** Creating webhook endpoints, because their number is limited. */
  webhookEndpoints: () => 'webhook endpoints',
  /** Closing royalty statements, because each month is closed only once. */
  royalties: () => 'royalties',
  /** Sending waiting invitations, because their number per minute is limited. */
  waitingInvitations: () => 'waiting invitations',
  /** Creating news emails, because their number per minute is limited. */
  newsMails: () => 'news mails',
  /** Generating the demo's history, and closing the demo. */
  demo: () => 'demo',
  /** Generating the key pair for push services, because there is only one. */
  pushKeys: () => 'push keys',
} as const

/**
 * Waits for the lock and holds it until the transaction ends. Two names can have the same hash and thus share a lock,
 * which only serializes more than necessary.
 */
export async function lockByName(trx: Transaction, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx.query)
}

/** Takes the lock until the transaction ends. Returns false if another transaction holds it. */
export async function tryLockByName(
  trx: Pick<Transaction, 'query'>,
  name: string,
): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as is_held`.execute(trx.query)
  return rows[0]?.is_held ?? false
}

/** Serializes the creation of the first admin. */
export async function lockFirstAdmin(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('first-admin'))`.execute(trx.query)
}
