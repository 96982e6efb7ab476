// What the screen says about keys and accounts.
import type {
  StripeInUse,
  StripeKeyCheck,
  StripeRight,
} from '#contract/admin/money/admin-stripe.ts'
import { formatCount } from '../../base/format/format-duration.ts'

/** As Stripe's dashboard names them. */
const rightNames: Record<StripeRight, string> = {
  account: 'Account information (read), for its name only',
  checkout_sessions: 'Checkout Sessions (write), to sell Premium and gifts',
  customers: 'Customers (write), for invoices and deleted accounts',
  subscriptions: 'Subscriptions (write), to cancel, pause and change them',
  billing_portal: 'Customer portal (write), where members change their card',
  invoices: 'Invoices (write), for bills and failed payments',
  charges: 'Charges (read), for disputes',
  refunds: 'Refunds (write)',
  products: 'Products (write), to make prices',
  prices: 'Prices (write)',
  coupons: 'Coupons (write), for codes and offers',
  promotion_codes: 'Promotion codes (write)',
  webhook_endpoints: 'Webhook Endpoints (write), to connect the webhook',
}

export const rightsOf = (rights: readonly StripeRight[]) => rights.map((right) => rightNames[right])

/** Undefined if it looks like a key that can be used. */
export function keyProblem(typed: string): string | undefined {
  const key = typed.trim()
  if (key === '') return 'Enter a key.'
  if (key.startsWith('pk_')) {
    return 'This is the publishable key. The secret key stands beside it and starts with sk_.'
  }
  if (key.startsWith('whsec_')) return 'This is a signing secret of a webhook, not a key.'
  if (!/^[sr]k_(?:test|live)_\w+$/.test(key)) {
    return 'A key starts with sk_test_, sk_live_, rk_test_ or rk_live_.'
  }
  return undefined
}

export const isInUse = ({ subscriptions, tasks }: StripeInUse) => subscriptions + tasks > 0

/** What prevents leaving the account. */
export function inUseWords({ subscriptions, tasks }: StripeInUse): string {
  const parts = [
    ...(subscriptions > 0
      ? [`${formatCount(subscriptions, 'subscription runs', 'subscriptions run')} there`]
      : []),
    ...(tasks > 0
      ? [`${formatCount(tasks, 'refund or deletion waits', 'refunds or deletions wait')} there`]
      : []),
  ]
  const advice =
    subscriptions > 0
      ? 'Cancel them in Billing first. A key that still works for that account is needed for it.'
      : 'They are done within minutes, if the key works.'
  return `${parts.join(', and ')}. ${advice}`
}

export function changeWords({ customers, in_use }: StripeKeyCheck): string {
  if (isInUse(in_use)) {
    return `This is another account or mode than before, so it cannot be used yet: ${inUseWords(in_use)}`
  }
  const forgotten =
    customers > 0
      ? ` ${formatCount(customers, 'member has', 'members have')} a customer at the old one, which is forgotten here; it stays at Stripe.`
      : ''
  return `This is another account or mode than before. Your prices are made there anew, and the webhook is connected there.${forgotten} Promotion codes have to be made again, and payments of before can only be refunded in the old account.`
}
