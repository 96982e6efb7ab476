// The database connection for better-auth: the same pool, but timestamps are returned as Date objects, because
// better-auth compares and calculates with them. With strings, which the rest of Velour uses, no session or token would
// ever expire.
import type { KyselyPlugin } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

const timestampColumns = new Set([
  'created_at',
  'updated_at',
  'expires_at',
  'access_token_expires_at',
  'refresh_token_expires_at',
  'locked_until',
])

const timestampsAsDates: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    return { ...result, rows: result.rows.map(withDates) }
  },
}

function withDates(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      timestampColumns.has(name) && typeof value === 'string' ? new Date(value) : value,
    ]),
  )
}

export function authDatabase(db: Database) {
  return {
    db: db.query.withPlugin(timestampsAsDates),
    type: 'postgres' as const,
    // A sign-up inserts both the profile and the account, or neither.
    transaction: true,
  }
}

/** Maps better-auth's tables and fields to ours; names that are not listed are the same. */
export const authTables = {
  user: {
    modelName: 'profiles',
    fields: {
      name: 'display_name',
      image: 'avatar_url',
      emailVerified: 'email_verified',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  account: {
    modelName: 'accounts',
    fields: {
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
  twoFactor: {
    user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
    twoFactor: {
      modelName: 'two_factors',
      fields: {
        userId: 'user_id',
        backupCodes: 'backup_codes',
        failedVerificationCount: 'failed_verification_count',
        lockedUntil: 'locked_until',
      },
    },
  },
}
