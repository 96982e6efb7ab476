// Computes the state of a subscription from Stripe's events, and a profile from a person's subscriptions. The functions
// are pure, and the same events give the same result in any order.
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { StripeSubscriptionRow } from '../../platform/db/tables.ts'
import type {
  BillingEvent,
  BillingFact,
  CheckoutFact,
  InvoiceFact,
  Price,
  SubscriptionFact,
} from './stripe-event.ts'
import type { StripeSettings } from './stripe-settings.ts'
import { liveStatuses } from './subscription-query.ts'

export type SubscriptionState = Pick<
  StripeSubscriptionRow,
  | 'status'
  | 'tier'
  | 'started_at'
  | 'ends_at'
  | 'cancels'
  | 'trial_ends_at'
  | 'cancel_asked_at'
  | 'cancel_reason'
  | 'cancel_feedback'
  | 'cancel_comment'
  | 'event_at'
  | 'event_rank'
>

type PriceIds = StripeSettings['prices']

/** The order of changes within the same second, because Stripe's timestamps have no fractions. */
const ranks = { created: 1, payment_failed: 2, paid: 3, updated: 4, deleted: 5 } as const

/** Whether the event is about a subscription that was sold here, not about another product of the owner. */
export function isSoldHere(fact: BillingFact, prices: PriceIds): boolean {
  if (fact.claimed_user_id !== null) return true
  if (fact.kind === 'checkout' || fact.price.id === null) return false
  return planOf(fact.price.id, prices) !== null
}

/** Returns the state after an event. Null if the event is older than the stored state. */
export function computeNextState(
  state: SubscriptionState,
  event: Pick<BillingEvent, 'occurred_at'> & { fact: BillingFact },
  prices: PriceIds,
): SubscriptionState | null {
  const { fact } = event
  if (fact.kind === 'checkout') return applyCheckout(state, fact, event.occurred_at)
  const rank = rankOf(fact)
  if (isOutdated(state, event, fact, rank)) return null
  const received = { event_at: event.occurred_at, event_rank: rank }
  return fact.kind === 'subscription'
    ? { ...applyChange(state, fact, event.occurred_at, prices), ...received }
    : { ...applyInvoice(state, fact, prices), ...received }
}

function rankOf(fact: SubscriptionFact | InvoiceFact): number {
  if (fact.kind === 'subscription') return ranks[fact.step]
  return fact.is_paid ? ranks.paid : ranks.payment_failed
}

function isOutdated(
  state: SubscriptionState,
  event: { occurred_at: string },
  fact: SubscriptionFact | InvoiceFact,
  rank: number,
): boolean {
  if (state.event_at === null) return false
  const difference = Date.parse(event.occurred_at) - Date.parse(state.event_at)
  if (difference !== 0) return difference < 0
  if (rank !== state.event_rank) return rank < state.event_rank
  // If two changes have the same timestamp, the previous status in the later event is the status that the earlier one
  // set.
  return fact.kind === 'subscription' && (fact.previous_status ?? fact.status) !== state.status
}

/**
 * Grants access for a paid checkout until the first event about the subscription itself. After that, the checkout is
 * ignored.
 */
function applyCheckout(
  state: SubscriptionState,
  fact: CheckoutFact,
  occurredAt: string,
): SubscriptionState {
  if (state.status !== null || !fact.is_paid) return state
  const ends = new Date(occurredAt)
  if (fact.plan === 'yearly') ends.setUTCFullYear(ends.getUTCFullYear() + 1)
  else ends.setUTCMonth(ends.getUTCMonth() + 1)
  return {
    ...state,
    status: 'active',
    tier: fact.plan ?? 'premium',
    started_at: occurredAt,
    ends_at: ends.toISOString(),
  }
}

/** Returns the state with the values of the subscription that Stripe reported. Does not set the time of the event. */
export function applyChange(
  state: SubscriptionState,
  fact: SubscriptionFact,
  occurredAt: string,
  prices: PriceIds,
): SubscriptionState {
  return {
    ...state,
    status: fact.status,
    tier: tierOf(fact.price, prices) ?? state.tier ?? 'premium',
    started_at: fact.started_at ?? state.started_at,
    ends_at: endOf(fact, occurredAt),
    cancels: fact.cancel_at !== null,
    trial_ends_at: fact.trial_ends_at,
    ...cancellationOf(fact, occurredAt),
  }
}

/**
 * Returns the cancellation's time and reason. Returns null values if the subscription was resumed, because Stripe keeps
 * the old reason.
 */
function cancellationOf(fact: SubscriptionFact, occurredAt: string) {
  const isCanceled = fact.cancel_at !== null || fact.status === 'canceled'
  return {
    cancel_asked_at: isCanceled ? (fact.cancel_asked_at ?? occurredAt) : null,
    cancel_reason: isCanceled ? fact.cancel_reason : null,
    cancel_feedback: isCanceled ? fact.cancel_feedback : null,
    cancel_comment: isCanceled ? fact.cancel_comment : null,
  }
}

function endOf(fact: SubscriptionFact, occurredAt: string): string | null {
  if (fact.status === 'canceled') return fact.ended_at ?? occurredAt
  // The new period has started but has not been paid.
  if (fact.status === 'past_due' || fact.status === 'unpaid') return fact.period_start
  if (fact.cancel_at === null || fact.period_end === null) return fact.cancel_at ?? fact.period_end
  return fact.cancel_at < fact.period_end ? fact.cancel_at : fact.period_end
}

function applyInvoice(
  state: SubscriptionState,
  fact: InvoiceFact,
  prices: PriceIds,
): SubscriptionState {
  if (!fact.is_paid) {
    if (state.status === null) return { ...state, status: 'incomplete' }
    if (state.status !== 'active') return state
    return { ...state, status: 'past_due', ends_at: fact.period_start ?? state.ends_at }
  }
  // A zero-amount invoice starts a trial, and a late payment does not restore a canceled or paused subscription. Ignore
  // both.
  if (fact.amount_cents === 0 || state.status === 'canceled' || state.status === 'paused') {
    return state
  }
  return {
    ...state,
    status: 'active',
    tier: tierOf(fact.price, prices) ?? state.tier ?? 'premium',
    started_at: state.started_at ?? fact.period_start,
    ends_at: state.cancels ? state.ends_at : (fact.period_end ?? state.ends_at),
  }
}

/**
 * Returns the tier of a price. Uses the billing interval if the price is unknown, because the prices in the settings
 * may have changed since.
 */
function tierOf(price: Price, prices: PriceIds): SubscriptionState['tier'] {
  const plan = planOf(price.id, prices)
  if (plan !== null) return plan
  if (price.interval === 'month') return 'monthly'
  return price.interval === 'year' ? 'yearly' : null
}

function planOf(id: string | null, prices: PriceIds) {
  if (id === null || id === '') return null
  if (id === prices.monthly) return 'monthly'
  if (id === prices.yearly) return 'yearly'
  return prices.known?.get(id) ?? null
}

export interface StripeProfile {
  subscription_id: string
  status: Extract<SubscriptionStatus, 'active' | 'canceled' | 'inactive'>
  tier: Tier
  started_at: string | null
  ends_at: string | null
  grace_until: string | null
  /** The end of the trial. Null if the plan is not in a trial. */
  trial_ends_at: string | null
}

/**
 * Computes a person's plan from all of the person's Stripe subscriptions. Null if there are none. A trial is Premium
 * with an end date.
 */
export function toProfile(
  rows: (SubscriptionState & { id: string; let_go: boolean })[],
  { now, graceDays }: { now: Date; graceDays: number },
): StripeProfile | null {
  const [best] = rows
    .filter(({ status, let_go }) => status !== null && !let_go)
    .toSorted((a, b) => weight(b) - weight(a) || timeOf(b) - timeOf(a))
  if (!best) return null
  const grace_until = graceOf(best, graceDays)
  const isOver =
    best.status === 'past_due' && grace_until !== null && grace_until <= now.toISOString()
  return {
    subscription_id: best.id,
    status: isOver ? 'inactive' : statusOf(best.status),
    tier: best.tier ?? 'premium',
    started_at: best.started_at,
    ends_at: best.ends_at,
    grace_until,
    trial_ends_at: best.status === 'trialing' ? best.trial_ends_at : null,
  }
}

function statusOf(status: string | null): StripeProfile['status'] {
  if (liveStatuses.includes(status ?? '')) return 'active'
  return status === 'canceled' ? status : 'inactive'
}

function graceOf(
  { status, ends_at, cancels }: SubscriptionState,
  graceDays: number,
): string | null {
  if (statusOf(status) !== 'active' || cancels || ends_at === null) return null
  return new Date(Date.parse(ends_at) + graceDays * 24 * 3600 * 1000).toISOString()
}

function weight({ status }: SubscriptionState): number {
  return ['canceled', 'inactive', 'past_due', 'trialing', 'active'].indexOf(
    liveStatuses.includes(status ?? '') ? (status ?? '') : statusOf(status),
  )
}

function timeOf({ event_at, started_at }: SubscriptionState): number {
  return Date.parse(event_at ?? started_at ?? '1970-01-01T00:00:00Z')
}
