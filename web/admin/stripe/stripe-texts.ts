// Texts about Stripe keys and accounts.
import type {
  StripeInUse,
  StripeKeyCheck,
  StripeRight,
} from '#contract/admin/money/admin-stripe.ts'
import { formatCount } from '../../base/format/format-duration.ts'

/** The permissions of a key, named as in Stripe's dashboard. */
const rightNames: Record<StripeRight, string> = {
  account: 'Account information (read), for its name only',
  checkout_sessions: 'Checkout Sessions (write), to sell Premium and gifts',
  customers: 'Customers (write), for invoices and deleted accounts',
  subscriptions: 'Subscriptions (write), to cancel, pause and change them',
  billing_portal: 'Customer portal (write), where members change their card',
  invoices: 'Invoices (write), for bills and failed payments',
  charges: 'Charges (read), for disputes',
  refunds: 'Refunds (write)',
  products: 'Products (write), to create prices',
  prices: 'Prices (write)',
  coupons: 'Coupons (write), for codes and offers',
  promotion_codes: 'Promotion codes (write)',
  webhook_endpoints: 'Webhook Endpoints (write), to connect the webhook',
}

export const getRightLabels = (rights: readonly StripeRight[]) =>
  rights.map((right) => rightNames[right])

/** Returns why the text can't be a Stripe key. Undefined if it looks like one. */
export function findKeyProblem(typed: string): string | undefined {
  const key = typed.trim()
  if (key === '') return 'Enter a key.'
  if (key.startsWith('pk_')) {
    return 'This is the publishable key. Use the secret key beside it, which starts with sk_.'
  }
  if (key.startsWith('whsec_')) return 'This is a webhook signing secret, not an API key.'
  if (!/^[sr]k_(?:test|live)_\w+$/.test(key)) {
    return 'A key starts with sk_test_, sk_live_, rk_test_ or rk_live_.'
  }
  return undefined
}

export const isInUse = ({ subscriptions, tasks }: StripeInUse) => subscriptions + tasks > 0

/** Explains why another Stripe account can't be connected now. */
export function describeStripeUse({ subscriptions, tasks }: StripeInUse): string {
  const parts = [
    ...(subscriptions > 0
      ? [`${formatCount(subscriptions, 'subscription is', 'subscriptions are')} active there`]
      : []),
    ...(tasks > 0
      ? [`${formatCount(tasks, 'refund or deletion is', 'refunds or deletions are')} pending there`]
      : []),
  ]
  const advice =
    subscriptions > 0
      ? 'First cancel them in Billing. This requires a key that still works for that account.'
      : 'They complete within minutes if the key works.'
  return `${parts.join(', and ')}. ${advice}`
}

export function describeAccountChange({ customers, in_use }: StripeKeyCheck): string {
  if (isInUse(in_use)) {
    return `This is a different account or mode, so you cannot use it yet: ${describeStripeUse(in_use)}`
  }
  const forgotten =
    customers > 0
      ? ` ${formatCount(customers, 'member has', 'members have')} a customer record at the previous account, which remains there but is no longer linked here.`
      : ''
  return `This is a different account or mode. Your prices are created and the webhook is connected there.${forgotten} You have to create promotion codes again, and you can refund earlier payments only in the previous account.`
}
