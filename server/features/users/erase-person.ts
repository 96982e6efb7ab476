// Deletes a person permanently: profile, credentials, sessions, likes, playlists, uploads and pictures. Shared data (curated
// playlists, the catalog, the audit log, the ledger) is kept. Their Stripe customer is queued for deletion, which also ends
// their subscriptions.
import { closeAtStripe } from '../billing/stripe-closures.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { purgeMemberDeletions } from '../deletions/purge-deletions.ts'
import { deletePicture } from '../pictures/store-picture.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'

/** The row must be locked. Most rows are deleted by cascading foreign keys; files are queued for the sweep. */
export async function erasePerson(trx: Transaction, userId: string): Promise<void> {
  await closeAtStripe(trx, userId)
  await purgeMemberDeletions(trx, userId)
  await trx.query
    .updateTable('playlists')
    .set({ created_by: null })
    .where('created_by', '=', userId)
    .where('is_curated', '=', true)
    .execute()
  const covers = await trx.query
    .deleteFrom('playlists')
    .where('created_by', '=', userId)
    .returning('cover_id')
    .execute()
  const person = await trx.query
    .selectFrom('profiles')
    .select(['avatar_id', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (person) await trx.query.deleteFrom('invitations').where('email', '=', person.email).execute()
  const unused = await trx.query
    .deleteFrom('uploads')
    .where('user_id', '=', userId)
    .where('status', '!=', 'used')
    .returning('path')
    .execute()
  await trx.query.deleteFrom('profiles').where('id', '=', userId).execute()
  for (const id of [...covers.map(({ cover_id }) => cover_id), person?.avatar_id]) {
    if (id) await deletePicture(trx, id)
  }
  await discardKeys(
    trx,
    unused.map(({ path }) => path),
  )
}
