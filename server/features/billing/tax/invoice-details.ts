// The owner's details on invoices, such as the address. They are stored on the customer at Stripe, because payment
// pages for plans have no parameter for them.
import type { Stripe } from 'stripe'
import type { InvoiceDetails } from '#contract/receipts.ts'
import type { Handle } from '../../../platform/db/database.ts'

export function readInvoiceDetails(handle: Handle): Promise<InvoiceDetails> {
  return handle.query
    .selectFrom('settings')
    .select(['invoice_name', 'invoice_address', 'invoice_tax_id', 'invoice_footer'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
}

/** Returns the details in Stripe's format for invoices. Empty values remove the values that Stripe has stored. */
export function toInvoiceSettings(
  details: InvoiceDetails,
): Stripe.CustomerUpdateParams.InvoiceSettings {
  const { invoice_name, invoice_address, invoice_tax_id, invoice_footer } = details
  const footer = [invoice_name, invoice_address, invoice_footer].filter(Boolean).join('\n')
  return {
    footer,
    custom_fields: invoice_tax_id === '' ? '' : [{ name: 'Tax ID', value: invoice_tax_id }],
  }
}

export function hasInvoiceDetails(details: InvoiceDetails): boolean {
  return Object.values(details).some((text) => text !== '')
}
