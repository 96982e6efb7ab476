// Every advisory lock of this database (PostgreSQL, section 13.3.5). The numbers and names stay: during an upgrade two
// versions take the same locks.
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/** Locks of a session: held until it ends or releases them. */
export const sessionLocks = {
  /** Serializes changes of the schema and of the rights of the roles. */
  migrate: 8_356_871_001,
  /** Shared by backups. The deletion of stored files takes it exclusively. */
  keepObjects: 8_356_871_002,
  /** Serializes the aggregation of the insights figures. */
  rollUpInsights: 8_356_871_006,
  /** Serializes writes to the backup target. */
  backupTarget: 8_356_871_075,
} as const

/** Taken by functions of the database. */
export const triggerLocks = {
  /** 0086_playlist_summaries.sql: transactions that change the summaries of several playlists. */
  playlistSummaries: 8_356_871_086,
  /** 0090_artists.sql: transactions that create artists. */
  newArtists: 8_356_871_090,
} as const

/** Locks of a transaction, by the name of what they serialize. */
export const lockNames = {
  /** Payments and refunds of one customer. Taken before the lock of a charge. */
  customer: (customerId: string) => `customer ${customerId}`,
  charge: (chargeId: string) => `charge ${chargeId}`,
  /** Requests to refund one payment: what is left of it is limited. */
  refund: (paymentId: string) => `refund ${paymentId}`,
  /** Referrals whose friends pay with one card: it earns once. */
  referralCard: (cardHash: string) => `referral card ${cardHash}`,
  /** Downloads of tracks for offline use by one person. */
  keptTracks: (userId: string) => `kept ${userId}`,
  /** Reports of plays of one person. */
  plays: (userId: string) => `plays ${userId}`,
  /** Spots that come up for one person. */
  spots: (userId: string) => `spots ${userId}`,
  /** Imports of recordings with the same content. */
  recording: (sha256: string) => sha256,
  /** Imports of the same song of a generator. Taken after the lock of the recording. */
  sourceSong: (sourceId: string) => `source ${sourceId}`,
  /** Imports of recordings that are compared by their sound. Taken after both of the others. */
  fingerprints: () => 'fingerprints',
  /** Confirming proposed releases, because a track is proposed only while it is on no release. */
  releaseProposals: () => 'release proposals',
  /** Requests with the same Idempotency-Key of one account. */
  idempotencyKey: (id: string) => `idempotency ${id}`,
  /** Choosing a free slug for a release. */
  releaseSlugs: () => 'release slugs',
  /** Creating webhook endpoints, because their number is limited. */
  webhookEndpoints: () => 'webhook endpoints',
  /** Closing royalty statements: each month once. */
  royalties: () => 'royalties',
  /** Sending waiting invitations, because their number per minute is limited. */
  waitingInvitations: () => 'waiting invitations',
  /** One process puts news into mails: their number in a minute is limited. */
  newsMails: () => 'news mails',
  /** Making up the history of the demo, and leaving it. */
  demo: () => 'demo',
  /** The pair of keys for push services is made once. */
  pushKeys: () => 'push keys',
} as const

/** Waits for the lock and holds it until the transaction ends. Two names may share a lock: it only serializes more. */
export async function lockByName(trx: Transaction, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx.query)
}

/** Takes the lock until the transaction ends; false if another transaction holds it. */
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
