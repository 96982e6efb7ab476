// Sign-up, sign-in and sign-out. better-auth handles the rare, security-critical operations. Our own session check
// handles every request.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { betterAuth, type AuthContext } from 'better-auth'
import { limitToOwner } from '../ownership/limit-to-owner.ts'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { authLimits } from '#contract/rate-limit.ts'
import { signInPath } from '#contract/return-path.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Branding } from '../settings/branding.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { createAddressKeys } from '../../platform/limits/limit-keys.ts'
import { refundRateLimit } from '../../platform/limits/limit-store.ts'
import { createRoute } from '../../platform/http/route.ts'
import { resetLinkSeconds } from '../../platform/mail/mail-texts.ts'
import type { MailQueue } from '../../platform/mail/mail-queue.ts'
import { createAccountNotices, type AccountNotices } from './account-notices.ts'
import { betterAuthOptions } from './auth-options.ts'
import { authRoutes } from './auth-routes.ts'
import { callBetterAuth } from './better-auth-call.ts'
import { isConfirmed } from './confirm-session.ts'
import { createKnownBrowser } from './known-browser.ts'
import { buildResetLink, resetTokenName } from './reset-token.ts'
import { createSessionCheck, type SessionCheck } from './sessions/session-check.ts'
import { sessionRoutes } from './sessions/session-routes.ts'

export interface Auth extends Pick<
  SessionCheck,
  'findActor' | 'hasSignedCookie' | 'isSignedIn' | 'evict'
> {
  /** Whether the person entered the password or an authenticator code in this session within the last 10 minutes. */
  isConfirmed: (sessionId: string) => Promise<boolean>
  /** Adds the routes /api/auth/* and /api/sessions, and the renewal of sessions. Call it before adding other routes. */
  register: (app: FastifyInstance) => Promise<void>
  /**
   * Emails a password reset link if an account has this address. Has no rate limit, because only admins can call it.
   */
  requestPasswordReset: (email: string) => Promise<void>
  mailTwoFactorRemoved: AccountNotices['twoFactorRemovedByAdmin']
}

/** Several times as long as the slowest response that must not reveal whether an account exists. */
const defaultMinResponseMs = 300

interface AuthServices {
  config: Pick<Config, 'publicUrl' | 'requireEmailVerification'>
  branding: () => Pick<Branding, 'brand_name'>
  /** The first secret signs and encrypts; the others are previous secrets, which are still accepted. */
  secrets: readonly [string, ...string[]]
  db: Database
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>
  mails: MailQueue
  log: FastifyBaseLogger
  now: () => Date
  /** Whether admins must enable a second factor before they get access. */
  adminsNeedTwoFactor?: () => boolean
  minResponseMs?: number
}

export function createAuth(services: AuthServices): Auth {
  const { config, branding, secrets, db, bus, mails, log, now } = services
  const { minResponseMs = defaultMinResponseMs, adminsNeedTwoFactor = () => false } = services
  const sessions = createSessionCheck({
    db,
    bus,
    secrets,
    secureCookies: config.publicUrl.startsWith('https:'),
    now,
  })
  const notices = createAccountNotices({ config, branding, db, mails, log, now })
  const auth = createBetterAuth(services, sessions, notices)
  const ownOrigin = new URL(config.publicUrl).origin

  const isSessionConfirmed = (sessionId: string) => isConfirmed(db, sessionId)

  async function register(app: FastifyInstance): Promise<void> {
    renewSessions(app, sessions)
    const route = createRoute(app, {
      db,
      secretBox: null,
      now,
      findActor: sessions.findActor,
      isMaintenance: () => false,
      adminsNeedTwoFactor,
      isConfirmed: isSessionConfirmed,
      limitToOwner,
      strictOutput: false,
    })
    authRoutes(route, {
      resignCookie: sessions.resignCookie,
      call: (call, request, reply) =>
        callBetterAuth(
          { handler: auth.handler, ownOrigin, resignCookie: sessions.resignCookie },
          call,
          request,
          reply,
        ),
      notices,
      knownBrowser: createKnownBrowser(secrets, config.publicUrl.startsWith('https:')),
      // Takes the same time whether or not the address has an account. The sign-in continues even if the email fails.
      warnOwner: async (email) => {
        const warning = mailGuessWarning({ auth, config, db, notices }, email).catch(
          (err: unknown) => log.error({ err }, 'the owner of an account was not warned'),
        )
        await Promise.all([warning, sleep(minResponseMs)])
      },
      evict: sessions.evict,
      branding,
      requireEmailVerification: config.requireEmailVerification,
      adminsNeedTwoFactor,
      minResponseMs,
    })
    sessionRoutes(route, sessions.evict)
  }

  return {
    findActor: sessions.findActor,
    isConfirmed: isSessionConfirmed,
    hasSignedCookie: sessions.hasSignedCookie,
    isSignedIn: (request) => sessions.isSignedIn(request),
    evict: sessions.evict,
    register,
    mailTwoFactorRemoved: notices.twoFactorRemovedByAdmin,
    async requestPasswordReset(email) {
      await auth.api.requestPasswordReset({ body: { email, redirectTo: '/auth' } })
    },
  }
}

function createBetterAuth(
  { config, branding, secrets, db, log, mails }: AuthServices,
  sessions: SessionCheck,
  notices: AccountNotices,
) {
  return betterAuth(
    betterAuthOptions({
      config,
      branding,
      secret: secrets[0],
      db,
      log,
      sendConfirmations: () => mails.sendsBySmtp || config.requireEmailVerification,
      sendMail: mails.send,
      onConfirmed: notices.welcome,
      // People who reset their password have often used up their sign-in attempts. Refund these, so that the new
      // password works immediately.
      onPasswordReset: async (userId, email, address) => {
        sessions.evict(userId)
        await refundRateLimit(db, {
          reset: createAddressKeys(authLimits.signIn, address, email),
          giveBack: [],
        })
        await notices.passwordReset(userId, email, address)
      },
    }),
  )
}

/**
 * Adds cookies to responses: renews a session that is due for renewal, and deletes the cookie of a session that has
 * ended.
 */
function renewSessions(app: FastifyInstance, sessions: SessionCheck): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    sessions.clearEnded(request, reply)
    if (!sessions.isRenewalDue(request)) return done(null, payload)
    sessions
      .renew(request, reply)
      // Send the response even if the renewal fails. The next request renews the session.
      .catch((err: unknown) => request.log.warn({ err }, 'renewing a session failed'))
      .finally(() => done(null, payload))
  })
}

/** If there is an account, warns its owner about guessed passwords, with a link to set a new password. */
async function mailGuessWarning(
  {
    auth,
    config,
    db,
    notices,
  }: {
    auth: { $context: Promise<Pick<AuthContext, 'internalAdapter'>> }
    config: Pick<Config, 'publicUrl'>
    db: Database
    notices: AccountNotices
  },
  email: string,
): Promise<void> {
  const person = await db.query
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (!person) return
  const { internalAdapter } = await auth.$context
  const token = randomBytes(24).toString('base64url')
  await internalAdapter.createVerificationValue({
    value: person.id,
    identifier: resetTokenName(token),
    expiresAt: new Date(Date.now() + resetLinkSeconds * 1000),
  })
  await notices.passwordGuessed(email, buildResetLink(config.publicUrl, token, signInPath))
}
