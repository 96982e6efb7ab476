// Receipts for manually recorded payments, and invoices of a member.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'
import { paymentMethods } from './plans.ts'

/** The owner's company details on invoices and receipts. Empty fields are not printed. */
export const invoiceDetails = {
  invoice_name: z
    .string()
    .check(z.trim(), z.maxLength(140), z.describe("The seller's name on invoices and receipts.")),
  invoice_address: z
    .string()
    .check(z.trim(), z.maxLength(400), z.describe("The seller's address, in lines.")),
  invoice_tax_id: z
    .string()
    .check(z.trim(), z.maxLength(140), z.describe("The seller's tax number.")),
  invoice_footer: z
    .string()
    .check(z.trim(), z.maxLength(1000), z.describe('The last lines of invoices and receipts.')),
}
export type InvoiceDetails = z.infer<z.ZodMiniObject<typeof invoiceDetails>>

const receiptNumber = z.number().check(z.describe('Consecutive. A number is never used twice.'))

export const receipt = z.object({
  number: receiptNumber,
  amount_cents: z.number().check(z.describe('Negative if this receipt voids another one.')),
  currency: z.string(),
  payment_method: z.enum(paymentMethods),
  description: z.string().check(z.describe('The description of the purchase.')),
  covers_from: z
    .nullable(timestamp)
    .check(z.describe('The start of the paid period. `covers_to` is its end.')),
  covers_to: z.nullable(timestamp),
  recipient: z.string().check(z.describe('The payer.')),
  issuer: z.object(invoiceDetails).check(z.describe('The seller, as of the day of the receipt.')),
  issued_at: timestamp,
  voids: z
    .nullable(receiptNumber)
    .check(z.describe('The number of the receipt that this one voids.')),
  voided_by: z
    .nullable(receiptNumber)
    .check(z.describe('The number of the receipt that voids this one.')),
})
export type Receipt = z.infer<typeof receipt>

export const receiptParams = z.object({
  receipt_number: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000)),
})

export const getReceipt = endpoint({
  method: 'GET',
  path: '/api/receipts/:receipt_number',
  summary: 'A receipt of the member. Admins can read all receipts.',
  access: 'member',
  tokens: 'refused',
  params: receiptParams,
  output: z.object({ data: receipt }),
  errors: ['receipt_not_found'],
})

export const bill = z.object({
  id: z.string(),
  kind: z.enum(['invoice', 'receipt']),
  number: z.string().check(z.describe('The number of the invoice or receipt.')),
  amount_cents: z
    .number()
    .check(z.describe('The total. Negative if this receipt voids another one.')),
  currency: z.string(),
  is_paid: z.boolean().check(z.describe('Whether it is paid in full.')),
  created_at: timestamp,
  url: z
    .nullable(z.string())
    .check(z.describe("The invoice's page at Stripe. Null for a receipt issued by this service.")),
  pdf_url: z.nullable(z.string()).check(z.describe('The invoice as a PDF file at Stripe.')),
})
export type Bill = z.infer<typeof bill>

export const listBills = endpoint({
  method: 'GET',
  path: '/api/billing/invoices',
  summary: "The member's invoices and receipts, newest first.",
  access: 'member',
  tokens: 'refused',
  output: z.object({
    data: z.array(bill),
    has_more: z
      .boolean()
      .check(z.describe('Whether there are older invoices, which only the customer portal lists.')),
  }),
  errors: ['stripe_failed'],
})
