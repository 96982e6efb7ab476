// Plans, payments, gifts, referrals, prices, receipts and royalties.
import type { Generated, JSONColumnType } from 'kysely'
import type { priceChangeStates } from '#contract/admin/money/admin-prices.ts'
import type { PaidPlan } from '#contract/billing.ts'
import type { PaymentFailure } from '#contract/payment-failures.ts'
import type { Tier } from '#contract/plans.ts'
import type { InvoiceDetails } from '#contract/receipts.ts'
import type { ReferralState, ReferralVoidReason } from '#contract/referrals.ts'
import type { RefundReason, RefundState } from '#contract/refunds.ts'

interface RoyaltyStatements {
  /** The first day of the statement's month. */
  month: string
  currency: string
  net_cents: number
  owner_cents: number
  paying: number
  closed_at: Generated<string>
}

interface RoyaltyLines {
  month: string
  currency: string
  artist_id: string
  name: string
  minutes: number
  listeners: number
  amount_cents: number
}

interface Subscriptions {
  user_id: string
  payment_method: 'cash' | 'check' | 'cashapp' | 'zelle' | 'other' | 'stripe' | null
  is_manual: Generated<boolean>
  starts_at: string | null
  notes: string | null
  stripe_customer_id: string | null
  stripe_subscription_id: string | null
  grace_until: string | null
  trial_ends_at: string | null
  invoice_details_hash: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface StripeSubscriptions {
  id: string
  user_id: string | null
  customer_id: string | null
  status: string | null
  tier: 'monthly' | 'yearly' | 'premium' | null
  started_at: string | null
  ends_at: string | null
  cancels: Generated<boolean>
  event_at: string | null
  event_rank: Generated<number>
  event_is_simulated: Generated<boolean>
  let_go: Generated<boolean>
  bought_here: Generated<boolean>
  trial_ends_at: string | null
  cancel_asked_at: string | null
  cancel_reason: string | null
  cancel_feedback: string | null
  cancel_comment: string | null
  retained_at: string | null
  card_checked_at: string | null
  renewal_notice_for: string | null
  created_at: Generated<string>
}

interface StripeCheckouts {
  user_id: string
  request_key: string
  offer: string
  session_id: string | null
  replaces: string | null
  created_at: Generated<string>
}

interface StripeTasks {
  subscription_id: string
  task: 'cancel_duplicate' | 'refund_duplicate' | 'check_trial' | 'pause_banned'
  tries: Generated<number>
  try_after: Generated<string>
  created_at: Generated<string>
}

interface FailedPayments {
  invoice_id: string
  subscription_id: string
  reason: PaymentFailure
  amount_cents: number
  currency: string
  pay_url: string | null
  failed_at: string
  next_try_at: string | null
  is_mailed: Generated<boolean>
}

interface BillingNotices {
  kind: string
  key: string
  sent_at: Generated<string>
}

interface Gifts {
  id: Generated<string>
  code_hash: string | null
  code_sealed: string | null
  buyer_id: string | null
  months: number
  amount_cents: number
  currency: string
  from_name: string
  recipient_email: string | null
  message: Generated<string>
  send_at: string | null
  sent_at: string | null
  payment_intent: string | null
  paid_at: string | null
  redeemed_by: string | null
  redeemed_at: string | null
  plan_from: string | null
  plan_to: string | null
  refunded_at: string | null
  created_at: Generated<string>
}

interface ReferralLinks {
  user_id: string
  code: string
  created_at: Generated<string>
}

interface Referrals {
  id: Generated<string>
  referrer_id: string | null
  friend_id: string | null
  address_hash: string
  months: number
  state: Generated<ReferralState>
  void_reason: ReferralVoidReason | null
  joined_at: Generated<string>
  paid_at: string | null
  due_at: string | null
  try_after: string | null
  card_hash: string | null
  settled_at: string | null
}

interface ReferralRewards {
  id: Generated<string>
  referral_id: string
  user_id: string | null
  side: 'referrer' | 'friend'
  months: number
  state: Generated<'waiting' | 'given' | 'ending' | 'ended' | 'over_limit'>
  way: 'coupon' | 'months' | null
  subscription_id: string | null
  plan_from: string | null
  plan_to: string | null
  tries: Generated<number>
  try_after: Generated<string>
  created_at: Generated<string>
  given_at: string | null
}

interface UsedTrials {
  kind: 'account' | 'email' | 'card'
  hash: string
  subscription_id: string
  created_at: Generated<string>
}

interface StripeRefunds {
  id: string
  is_simulated: Generated<boolean>
  charge_id: string
  customer_id: string | null
  invoice_id: string | null
  charge_cents: number | null
  charged_at: string | null
  refunded_cents: number
  is_failed: Generated<boolean>
  is_dispute: Generated<boolean>
  payment_intent: string | null
  event_at: string
}

interface RefundRequests {
  id: Generated<string>
  payment_id: string | null
  user_id: string | null
  amount_cents: number
  currency: string
  reason: RefundReason
  state: Generated<RefundState>
  failure: string | null
  stripe_refund_id: string | null
  requested_by: string | null
  tries: Generated<number>
  try_after: Generated<string>
  created_at: Generated<string>
  settled_at: string | null
}

interface PriceSets {
  id: Generated<string>
  currency: string
  monthly_cents: number
  yearly_cents: number
  state: Generated<'making' | 'made' | 'done' | 'refused' | 'replaced'>
  price_monthly: string | null
  price_yearly: string | null
  failure: string | null
  effective_at: string | null
  requested_by: string | null
  tries: Generated<number>
  try_after: Generated<string>
  created_at: Generated<string>
}

interface KnownPrices {
  price_id: string
  plan: PaidPlan
}

interface PriceChanges {
  id: string
  effective_at: string
  state: Generated<(typeof priceChangeStates)[number]>
  created_at: Generated<string>
  settled_at: string | null
}

interface PriceChangeMembers {
  change_id: string
  subscription_id: string
  old_cents: number
  new_cents: number
  applies_at: string
  state: Generated<'waiting' | 'moved' | 'left' | 'refused'>
  failure: string | null
  tries: Generated<number>
  try_after: Generated<string>
}

/** Receipts are numbered without gaps. */
interface Receipts {
  number: number
  payment_id: string
  user_id: string | null
  /** The number of the receipt that is voided by this one. */
  voids: number | null
  amount_cents: number
  currency: string
  payment_method: string
  description: string
  covers_from: string | null
  covers_to: string | null
  recipient: string
  issuer: JSONColumnType<InvoiceDetails, string, never>
  issued_at: string
}

interface ReceiptCounter {
  id: Generated<number>
  last_number: number
}

interface StripeClosures {
  customer_id: string
  tries: Generated<number>
  try_after: Generated<string>
  created_at: Generated<string>
}

interface BillingEvents {
  id: Generated<string>
  event_id: string
  is_simulated: Generated<boolean>
  type: string
  subscription_id: string | null
  user_id: string | null
  outcome: 'applied' | 'outdated' | 'ignored'
  occurred_at: string
  received_at: Generated<string>
}

interface Payments {
  id: Generated<string>
  user_id: string | null
  kind: Generated<'payment' | 'refund' | 'correction'>
  amount_cents: number
  currency: string
  payment_method: 'cash' | 'check' | 'cashapp' | 'zelle' | 'other' | 'stripe'
  tier: Tier | null
  stripe_invoice_id: string | null
  stripe_customer_id: string | null
  stripe_charge_id: string | null
  /** The payment that this entry refunds. */
  refund_of: string | null
  stripe_payment_intent: string | null
  is_simulated: Generated<boolean>
  covers_from: string | null
  covers_to: string | null
  readonly monthly_cents: Generated<number | null>
  paid_at: string
  created_at: Generated<string>
}

export interface BillingTables {
  subscriptions: Subscriptions
  stripe_subscriptions: StripeSubscriptions
  stripe_checkouts: StripeCheckouts
  stripe_tasks: StripeTasks
  used_trials: UsedTrials
  billing_notices: BillingNotices
  gifts: Gifts
  referral_links: ReferralLinks
  referrals: Referrals
  referral_rewards: ReferralRewards
  failed_payments: FailedPayments
  stripe_refunds: StripeRefunds
  stripe_closures: StripeClosures
  refund_requests: RefundRequests
  price_sets: PriceSets
  known_prices: KnownPrices
  price_changes: PriceChanges
  price_change_members: PriceChangeMembers
  receipts: Receipts
  receipt_counter: ReceiptCounter
  billing_events: BillingEvents
  payments: Payments
  royalty_statements: RoyaltyStatements
  royalty_lines: RoyaltyLines
}
