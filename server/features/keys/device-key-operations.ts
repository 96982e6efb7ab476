// Operations on a member's device keys: create, list and revoke. The database stores a hash of each key and the
// encrypted key.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { maxKeysPerPerson } from '#contract/device-keys.ts'
import type * as contract from '#contract/device-keys.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { mailNewKey, type KeyNotices } from './key-notices.ts'
import { hashSecret, makeDeviceKey } from './new-secrets.ts'

export async function createDeviceKey(
  services: KeyNotices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createDeviceKey>,
): Promise<Output<typeof contract.createDeviceKey>> {
  const key = makeDeviceKey()
  const { user_id, email } = ctx.actor
  return transaction(ctx.db, async (trx) => {
    await refuseBeyondLimit(trx, 'device_keys', user_id)
    const created = await trx.query
      .insertInto('device_keys')
      .values({
        user_id,
        name: body.name,
        purpose: body.purpose,
        key_hash: hashSecret(key),
        key_sealed: services.secretBox.seal(key),
      })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow()
    await mailNewKey(services, ctx, trx, { kind: body.purpose, name: created.name })
    const server_url = services.config.publicUrl.replace(/\/$/, '')
    const feed_url = body.purpose === 'feed' ? `${server_url}/feeds/${key}/podcast.xml` : null
    return { data: { ...created, key, server_url, username: email, feed_url } }
  })
}

/**
 * Throws if the person has too many keys. Locks the person's row, so that concurrent calls are counted one after the
 * other.
 */
export async function refuseBeyondLimit(
  trx: Transaction,
  table: 'device_keys' | 'access_tokens',
  userId: string,
): Promise<void> {
  await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .execute()
  const { count } = await trx.query
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (count >= maxKeysPerPerson) throw new AppError('too_many_keys')
}

export async function listDeviceKeys(
  ctx: MemberContext,
): Promise<Output<typeof contract.listDeviceKeys>> {
  const data = await ctx.db.query
    .selectFrom('device_keys')
    .select(['id', 'name', 'created_at', 'last_used_at', 'last_client', 'last_network', 'purpose'])
    .where('user_id', '=', ctx.actor.user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { data }
}

/** Revokes a key. At the commit, a trigger notifies every instance: caches are evicted and running streams end. */
export async function revokeDeviceKey(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.revokeDeviceKey>,
): Promise<void> {
  const result = await ctx.db.query
    .deleteFrom('device_keys')
    .where('id', '=', params.id)
    .where('user_id', '=', ctx.actor.user_id)
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) throw new AppError('not_found')
}
