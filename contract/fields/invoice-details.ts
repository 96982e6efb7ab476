// The owner's details on invoices and receipts.
import * as z from 'zod/mini'

/** What invoices and receipts say about the owner. Empty: not shown. */
export const invoiceDetails = {
  invoice_name: z
    .string()
    .check(
      z.trim(),
      z.maxLength(140),
      z.describe('The name of the seller on invoices and receipts.'),
    ),
  invoice_address: z
    .string()
    .check(z.trim(), z.maxLength(400), z.describe('The address of the seller, in lines.')),
  invoice_tax_id: z
    .string()
    .check(z.trim(), z.maxLength(140), z.describe('The tax number of the seller.')),
  invoice_footer: z
    .string()
    .check(z.trim(), z.maxLength(1000), z.describe('The last lines of invoices and receipts.')),
}
export type InvoiceDetails = z.infer<z.ZodMiniObject<typeof invoiceDetails>>
