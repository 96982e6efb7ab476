// Every advisory lock of this database (PostgreSQL, section 13.3.5). The numbers and names stay: during an upgrade two
// versions take the same locks.
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/** Locks of a session: held until it ends or releases them. */
export const sessionLocks = {
  /** One process changes the schema or the rights of the roles. */
  migrate: 8_356_871_001,
  /** Backups share it; the deletion of stored files takes it alone. */
  keepObjects: 8_356_871_002,
  /** One process rolls up the figures of Insights. */
  rollUpInsights: 8_356_871_006,
  /** One process writes to the backup target. */
  backupTarget: 8_356_871_075,
} as const

/** Taken by functions of the database. */
export const triggerLocks = {
  /** 0086_playlist_summaries.sql: transactions that change the summaries of several playlists. */
  playlistSummaries: 8_356_871_086,
  /** 0090_artists.sql: transactions that make artists. */
  newArtists: 8_356_871_090,
} as const

/** Locks of a transaction, by the name of what they serialize. */
export const lockNames = {
  /** Payments and refunds of one customer. Taken before the lock of a charge. */
  customer: (customerId: string) => `customer ${customerId}`,
  charge: (chargeId: string) => `charge ${chargeId}`,
  /** Tracks that one person fetches to keep them on a device. */
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
  /** Confirming proposed releases: a track is proposed only while it is on none. */
  releaseProposals: () => 'release proposals',
  /** Requests with the same Idempotency-Key of one account. */
  idempotencyKey: (id: string) => `idempotency ${id}`,
  /** Choosing a free address for a release. */
  releaseSlugs: () => 'release slugs',
  /** Creating an endpoint for webhooks: their number is limited. */
  webhookEndpoints: () => 'webhook endpoints',
  /** One process sends the invitations that wait: their number in a minute is limited. */
  waitingInvitations: () => 'waiting invitations',
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
