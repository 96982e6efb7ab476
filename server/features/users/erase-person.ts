// Deletes a person permanently: profile, credentials, sessions, likes, playlists, uploads and pictures. Shared data is
// kept: curated playlists, the catalogue, the audit log and the ledger. The person's Stripe customer is queued for
// deletion, which also ends their subscriptions.
import { enqueueCustomerDeletion } from '../billing/stripe-closures.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { purgeMemberDeletions } from '../deletions/purge-deletions.ts'
import { deletePicture } from '../pictures/store-picture.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'

/**
 * The caller must hold the lock on the person's row. Most rows are deleted by cascading foreign keys. Files are queued,
 * and the sweep deletes them.
 */
export async function erasePerson(trx: Transaction, userId: string): Promise<void> {
  await enqueueCustomerDeletion(trx, userId)
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
