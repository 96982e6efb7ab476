// The tax parameters for creating a payment page at Stripe.
import type { Stripe } from 'stripe'
import type { TaxMode } from '#contract/admin/admin-settings.ts'

/** Stripe's tax code for subscriptions to streamed digital audio works. */
export const streamingTaxCode = 'txcd_10401200'

/**
 * Returns the tax parameters. Stripe Tax requires an address, so the page asks for one and saves it if the customer
 * already exists. With Managed Payments, Stripe sets all tax parameters and rejects ours.
 */
export function getTaxParams(
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
