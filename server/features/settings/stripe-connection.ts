// The key of the Stripe account. The environment variable takes precedence over the owner's settings.
import type { Config } from '../../platform/config/config.ts'
import type { Handle } from '../../platform/db/database.ts'
import type { StripeConnectionRow } from '../../platform/db/tables.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export function readStripeConnection(
  handle: Handle,
  { lock = false } = {},
): Promise<StripeConnectionRow> {
  return handle.query
    .selectFrom('stripe_connection')
    .selectAll()
    .where('id', '=', 1)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
}

/** Null if no key is set. A key that was encrypted with a lost SECRET counts as not set. */
export function resolveStripeKey(
  { stripeSecretKey }: Pick<Config, 'stripeSecretKey'>,
  { key_sealed }: Pick<StripeConnectionRow, 'key_sealed'>,
  secretBox: Pick<SecretBox, 'open'>,
): string | null {
  return stripeSecretKey ?? (secretBox.open(key_sealed) || null)
}
