// Configures better-auth with our tables, ids, cookies and emails, and disables every feature we do not use. Roles and
// bans are our own (docs/decisions/0003-no-auth-admin-plugin.md).
import type { BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { passwordMaxLength, passwordMinLength } from '#contract/auth.ts'
import { readReturnPath, returnParam, signInPath } from '#contract/return-path.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Branding } from '../settings/branding.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Mail } from '../../platform/mail/mail-texts.ts'
import {
  accountExistsMail,
  confirmAddressMail,
  confirmLinkSeconds,
  passwordResetMail,
  resetLinkSeconds,
} from '../../platform/mail/mail-texts.ts'
import { authDatabase, authTables } from './auth-database.ts'
import { bannedCode } from './auth-error.ts'
import { buildResetLink } from './reset-token.ts'
import { getCookiePrefix } from '../../platform/security/cookie-names.ts'
import { sessionSeconds } from './sessions/session-cookie.ts'

/** Passes the caller's address to better-auth. We set it on every request and never accept it from outside. */
export const clientAddressHeader = 'x-velour-client-address'

export interface AuthOptions {
  config: Pick<Config, 'publicUrl' | 'requireEmailVerification'>
  branding: () => Pick<Branding, 'brand_name'>
  secret: string
  db: Database
  log: FastifyBaseLogger
  /**
   * Whether new members receive an email to confirm their address. Read at each sign-up, because a mail server may be
   * configured while the server runs.
   */
  sendConfirmations: () => boolean
  /**
   * Sends an email. Must return quickly even if the mail server is slow: the response waits for this function, and its
   * duration must not reveal who has an account.
   */
  sendMail: (mail: Mail) => Promise<void>
  /** Called when a confirmation link confirmed an address, before the response is sent. */
  onConfirmed: (email: string) => Promise<void>
  /** Called after a password reset, before the response is sent. */
  onPasswordReset: (userId: string, email: string, address: string) => Promise<void>
}

export function betterAuthOptions(options: AuthOptions) {
  const { config, db, log } = options
  const isHttps = config.publicUrl.startsWith('https:')
  return {
    baseURL: new URL(config.publicUrl).origin,
    basePath: '/api/auth',
    // Set explicitly, so that no environment variable overrides the secret. A list, so that a newer secret can be
    // prepended.
    secrets: [{ version: 1, value: options.secret }],
    database: authDatabase(db),
    ...authTables,
    user: authTables.user,
    session: {
      ...authTables.session,
      expiresIn: sessionSeconds,
      updateAge: 24 * 3600,
      // If sessions were cached in the cookie, a banned person would keep access until the cookie expires.
      cookieCache: { enabled: false },
    },
    verification: { ...authTables.verification, storeIdentifier: 'hashed' },
    emailAndPassword: passwordOptions(options),
    emailVerification: confirmationOptions(options),
    plugins: [twoFactor({ schema: authTables.twoFactor })],
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({
            data: { createdAt: await admitSignIn(db, session.userId) },
          }),
        },
      },
    },
    // better-auth's rate limits are not used: ours count per account and address, see contract/rate-limit.ts.
    rateLimit: { enabled: false },
    trustedOrigins: (request) => ownOrigins(request),
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (level, message, ...details) =>
        log[level](pickError(details), `better-auth: ${message}`),
    },
    // Pass errors that are not better-auth responses to our error handler.
    onAPIError: { throw: true },
    advanced: {
      cookiePrefix: getCookiePrefix(isHttps),
      // If enabled, this would prepend `__Secure-` to every cookie name. The prefix `__Host-` already implies `Secure`.
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader], ipv6Subnet: 128 },
      // Set explicitly, because better-auth disables these checks in tests.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      database: { generateId: false, validateSchema: false },
    },
  } satisfies BetterAuthOptions
}

function passwordOptions(options: AuthOptions) {
  const { config, branding, sendMail } = options
  return {
    enabled: true,
    // With automatic sign-in, the response would also reveal whether the address was already taken.
    autoSignIn: false,
    minPasswordLength: passwordMinLength,
    maxPasswordLength: passwordMaxLength,
    requireEmailVerification: config.requireEmailVerification,
    resetPasswordTokenExpiresIn: resetLinkSeconds,
    // A second safeguard: a database trigger already ends the sessions when the password changes.
    revokeSessionsOnPasswordReset: true,
    sendResetPassword: ({ user, url, token }) => {
      const next = returnPathIn(url) ?? signInPath
      const link = buildResetLink(config.publicUrl, token, next)
      return sendMail(passwordResetMail(user.email, branding().brand_name, link))
    },
    onPasswordReset: ({ user }, request) =>
      options.onPasswordReset(user.id, user.email, request?.headers.get(clientAddressHeader) ?? ''),
    onExistingUserSignUp: ({ user }) =>
      sendMail(accountExistsMail(user.email, branding().brand_name, `${config.publicUrl}/auth`)),
  } satisfies BetterAuthOptions['emailAndPassword']
}

function confirmationOptions(options: AuthOptions) {
  const { config, branding, sendMail } = options
  return {
    afterEmailVerification: ({ email }) => options.onConfirmed(email),
    expiresIn: confirmLinkSeconds,
    get sendOnSignUp() {
      return options.sendConfirmations()
    },
    sendOnSignIn: true,
    sendVerificationEmail: ({ user, url, token }) => {
      const query = new URLSearchParams({ token })
      const next = returnPathIn(url)
      if (next !== null && next !== '/') query.set(returnParam, next)
      const link = `${config.publicUrl}/api/auth/verify-email?${query}`
      return sendMail(confirmAddressMail(user.email, branding().brand_name, link))
    },
  } satisfies BetterAuthOptions['emailVerification']
}

/** The path that better-auth's own link would open after the reset, if it is on this site. */
function returnPathIn(url: string): string | null {
  return readReturnPath(new URL(url).searchParams.get('callbackURL'))
}

/**
 * Rejects banned accounts. Runs after the password was verified, so that strangers cannot find out who is banned.
 * Returns the database's time, because the expiry of admin sessions is computed with that clock (database-time.ts).
 */
async function admitSignIn(db: Database, userId: string): Promise<Date> {
  const person = await db.query
    .selectFrom('profiles')
    .select(['banned_at', sql<string>`now()`.as('now')])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (person?.banned_at != null) throw new APIError('FORBIDDEN', { code: bannedCode })
  return person ? new Date(person.now) : new Date()
}

/** The origins of this site under the request's host name, see same-origin.ts. */
function ownOrigins(request: Request | undefined): string[] {
  const host = request?.headers.get('host')
  return host ? [`http://${host}`, `https://${host}`] : []
}

function pickError(details: unknown[]): object {
  const err = details.find((detail) => detail instanceof Error)
  return err ? { err } : {}
}
