// Who computes tax on a payment page.
import type { Stripe } from 'stripe'
import type { TaxMode } from '#contract/admin/admin-settings.ts'

/** Digital audio works, streamed, subscription. */
export const streamingTaxCode = 'txcd_10401200'

/**
 * Stripe Tax needs the address of a known customer; the page asks for it. With Managed Payments Stripe sets everything
 * about tax itself, and refuses parameters about it.
 */
export function taxOf(
  mode: TaxMode,
  { hasCustomer }: { hasCustomer: boolean },
): Pick<
  Stripe.Checkout.SessionCreateParams,
  'automatic_tax' | 'customer_update' | 'managed_payments'
> {
  if (mode === 'managed') return { managed_payments: { enabled: true } }
  if (mode === 'off') return {}
  return {
    automatic_tax: { enabled: true },
    ...(hasCustomer && { customer_update: { address: 'auto' } }),
  }
}
