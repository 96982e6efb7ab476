// Opens Stripe's payment page for a member. Each member has at most one open page, so that two clicks, two tabs or a
// retry cannot charge the member twice. Requests with the same idempotency key open the same page, because Stripe
// returns the same session for them. If a newer request replaces the key while a page is being created, that page is
// closed and its URL is not returned.
import { createHash, randomUUID } from 'node:crypto'
import type { Stripe } from 'stripe'
import { transaction, type Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { callStripe, isStripeError, nullIfMissing, type StripeAccess } from './stripe-client.ts'
import { liveStatuses } from './subscription-query.ts'

/** Number of retries. Stripe returns 409 while an earlier request with the same idempotency key is still running. */
const keyInUseRetries = 4

interface Page {
  user_id: string
  request_key: string
  session_id: string | null
  replaces: string | null
}

/**
 * Returns the URL of the payment page. Throws `already_subscribed` if an earlier page was paid, `checkout_replaced` if
 * another page has been opened in the meantime, and `stripe_failed`.
 */
export async function openCheckoutPage(
  stripe: StripeAccess,
  ctx: MemberContext,
  request: Stripe.Checkout.SessionCreateParams,
): Promise<string> {
  const page = await reservePage(ctx, hashOf(request))
  if (page.replaces !== null) await closePage(stripe, ctx.db, page.replaces)
  if (page.session_id === null) return createSession(stripe, ctx.db, page, request)
  const session = await readSession(stripe, page.session_id)
  if (session?.status === 'open' && session.url) return session.url
  await refusePaid(ctx.db, session)
  await deletePage(ctx.db, page)
  return openCheckoutPage(stripe, ctx, request)
}

function hashOf(request: Stripe.Checkout.SessionCreateParams): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex')
}

/**
 * Returns the stored page if it is for this offer. Otherwise stores a new idempotency key, with which the page is then
 * created.
 */
function reservePage(ctx: MemberContext, offer: string): Promise<Page> {
  const { user_id } = ctx.actor
  return transaction(ctx.db, async (trx) => {
    const fresh = { request_key: randomUUID(), offer, session_id: null }
    // Insert or update in one statement: another request may delete the row between two statements.
    const row = await trx.query
      .insertInto('stripe_checkouts')
      .values({ user_id, ...fresh })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id }))
      .returningAll()
      .executeTakeFirstOrThrow()
    if (row.offer === offer) return row
    const replaces = row.session_id ?? row.replaces
    await trx.query
      .updateTable('stripe_checkouts')
      .set({ ...fresh, replaces, created_at: ctx.now().toISOString() })
      .where('user_id', '=', user_id)
      .execute()
    return { user_id, replaces, ...fresh }
  })
}

async function createSession(
  stripe: StripeAccess,
  db: Database,
  page: Page,
  request: Stripe.Checkout.SessionCreateParams,
): Promise<string> {
  const options = { idempotencyKey: page.request_key, maxNetworkRetries: keyInUseRetries }
  let session: Stripe.Checkout.Session
  try {
    session = await callStripe(stripe, (client) =>
      client.checkout.sessions.create(request, options),
    )
  } catch (error) {
    // Stripe repeats its error response for the same idempotency key, so the next attempt needs a new key.
    if (error instanceof AppError && isErrorResponse(error.cause)) await deletePage(db, page)
    throw error
  }
  const stored = await db.query
    .updateTable('stripe_checkouts')
    .set({ session_id: session.id, replaces: null })
    .where('user_id', '=', page.user_id)
    .where('request_key', '=', page.request_key)
    .returning('user_id')
    .executeTakeFirst()
  if (!stored) {
    await closePage(stripe, db, session.id)
    throw new AppError('checkout_replaced')
  }
  if (!session.url) throw new AppError('stripe_failed')
  return session.url
}

function isErrorResponse(cause: unknown): boolean {
  return isStripeError(cause) && cause.statusCode !== undefined && cause.statusCode !== 409
}

/** Deletes our row of the page. At Stripe, the page has already expired or was never created. */
async function deletePage(db: Database, page: Page): Promise<void> {
  await db.query
    .deleteFrom('stripe_checkouts')
    .where('user_id', '=', page.user_id)
    .where('request_key', '=', page.request_key)
    .where('session_id', 'is not distinct from', page.session_id)
    .execute()
}

/**
 * Expires the payment page at Stripe, so that nobody can pay on it. Throws `already_subscribed` if the page has been
 * paid.
 */
async function closePage(stripe: StripeAccess, db: Database, sessionId: string): Promise<void> {
  let session = await readSession(stripe, sessionId)
  if (session?.status === 'open') {
    try {
      await callStripe(stripe, (client) => client.checkout.sessions.expire(sessionId))
      return
    } catch (error) {
      // Stripe rejects the request if the page has been paid or has expired in the meantime.
      session = await readSession(stripe, sessionId)
      if (session?.status === 'open') throw error
    }
  }
  await refusePaid(db, session)
}

/** Returns null if Stripe has no such session, for example after a change of the API key. */
function readSession(stripe: StripeAccess, id: string): Promise<Stripe.Checkout.Session | null> {
  return callStripe(stripe, (client) => nullIfMissing(client.checkout.sessions.retrieve(id)))
}

/**
 * Throws `already_subscribed` if the page has been paid, unless its subscription has ended. If the subscription has no
 * row yet, its events have not arrived, so also throws.
 */
async function refusePaid(db: Database, session: Stripe.Checkout.Session | null): Promise<void> {
  if (session?.status !== 'complete') return
  const { subscription } = session
  const id = typeof subscription === 'string' ? subscription : subscription?.id
  const row = await db.query
    .selectFrom('stripe_subscriptions')
    .select('status')
    .where('id', '=', id ?? '')
    .where('event_is_simulated', '=', false)
    .executeTakeFirst()
  if (!row?.status || liveStatuses.includes(row.status)) throw new AppError('already_subscribed')
}
