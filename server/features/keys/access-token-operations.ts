// Operations on a person's access tokens: create, list and revoke. Only hashes of the tokens are stored. Tokens created
// by admins and editors are recorded in the audit trail.
import { isStaff } from '#contract/access.ts'
import { tokenDefaultDays, tokenMaxDays } from '#contract/access-tokens.ts'
import type * as contract from '#contract/access-tokens.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { tokenScopes } from '#contract/token-scopes.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import { requireStaff } from '../../platform/http/admit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { refuseBeyondLimit } from './device-key-operations.ts'
import { mailNewKey, type KeyNotices } from './key-notices.ts'
import { hashSecret, makeAccessToken } from './new-secrets.ts'

const dayMs = 24 * 3_600_000

export async function createAccessToken(
  notices: KeyNotices,
  adminsNeedTwoFactor: () => boolean,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createAccessToken>,
): Promise<Output<typeof contract.createAccessToken>> {
  const { actor } = ctx
  if (body.scopes.includes('admin')) requireStaff(actor, 'creator', adminsNeedTwoFactor())
  const token = makeAccessToken()
  // Sort the scopes and remove duplicates.
  const scopes = tokenScopes.filter((scope) => body.scopes.includes(scope))
  const expires_at = readExpiry(body.expires_at, ctx.now().getTime())
  return transaction(ctx.db, async (trx) => {
    await refuseBeyondLimit(trx, 'access_tokens', actor.user_id)
    const values = { user_id: actor.user_id, name: body.name, scopes, expires_at }
    const created = await trx.query
      .insertInto('access_tokens')
      .values({ ...values, token_hash: hashSecret(token) })
      .returning(['id', 'name', 'scopes', 'expires_at'])
      .executeTakeFirstOrThrow()
    if (isStaff(actor.role)) {
      const { id, ...after } = created
      await writeAudit(ctx, trx, {
        action: 'create',
        entity: 'access_token',
        entity_id: id,
        after,
      })
    }
    await mailNewKey(notices, ctx, trx, { kind: 'access_token', name: created.name })
    return { data: { ...created, token } }
  })
}

/** Parses an expiry date. A date without a time means the end of that day. */
function readExpiry(text: string | undefined, nowMs: number): string {
  if (text === undefined) return new Date(nowMs + tokenDefaultDays * dayMs).toISOString()
  const expiresAtMs = Date.parse(text) + (text.length === 10 ? dayMs - 1 : 0)
  if (expiresAtMs <= nowMs || expiresAtMs > nowMs + tokenMaxDays * dayMs) {
    throw new AppError('invalid_expiry')
  }
  return new Date(expiresAtMs).toISOString()
}

export async function listAccessTokens(
  ctx: MemberContext,
): Promise<Output<typeof contract.listAccessTokens>> {
  const rows = await ctx.db.query
    .selectFrom('access_tokens')
    .select(['id', 'name', 'scopes', 'expires_at', 'created_at', 'last_used_at', 'last_network'])
    .where('user_id', '=', ctx.actor.user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const now = ctx.now().toISOString()
  return { data: rows.map((row) => ({ ...row, is_expired: row.expires_at <= now })) }
}

export async function revokeAccessToken(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.revokeAccessToken>,
): Promise<void> {
  const { user_id, role } = ctx.actor
  await transaction(ctx.db, async (trx) => {
    const before = await trx.query
      .deleteFrom('access_tokens')
      .where('id', '=', params.id)
      .where('user_id', '=', user_id)
      .returning(['name', 'scopes', 'expires_at'])
      .executeTakeFirst()
    if (!before) throw new AppError('not_found')
    if (!isStaff(role)) return
    const entry = { entity: 'access_token', entity_id: params.id, before } as const
    await writeAudit(ctx, trx, { action: 'delete', ...entry })
  })
}

/** Number of days that expired tokens stay listed, so that their owner sees why a program stopped working. */
const retentionDays = 30

export async function deleteExpiredTokens(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * dayMs).toISOString()
  await db.query.deleteFrom('access_tokens').where('expires_at', '<', before).execute()
}
