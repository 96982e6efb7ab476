// Receipts for payments that are recorded by hand, and what a member was billed.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'
import { paymentMethods } from './plans.ts'

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

const receiptNumber = z.number().check(z.describe('Numbers rise by 1 and are never used twice.'))

export const receipt = z.object({
  number: receiptNumber,
  amount_cents: z.number().check(z.describe('Negative: it voids another receipt.')),
  currency: z.string(),
  payment_method: z.enum(paymentMethods),
  description: z.string().check(z.describe('What was paid for.')),
  covers_from: z.nullable(timestamp).check(z.describe('The time that was paid for.')),
  covers_to: z.nullable(timestamp),
  recipient: z.string().check(z.describe('Who paid.')),
  issuer: z.object(invoiceDetails).check(z.describe('The seller, as on the day of the receipt.')),
  issued_at: timestamp,
  voids: z.nullable(receiptNumber).check(z.describe('The receipt that this one voids.')),
  voided_by: z.nullable(receiptNumber).check(z.describe('The receipt that voids this one.')),
})
export type Receipt = z.infer<typeof receipt>

export const receiptParams = z.object({
  receipt_number: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000)),
})

export const getReceipt = endpoint({
  method: 'GET',
  path: '/api/receipts/:receipt_number',
  summary: 'A receipt of the member. Admins read all receipts.',
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
  amount_cents: z.number().check(z.describe('The total. Negative: it voids a receipt.')),
  currency: z.string(),
  is_paid: z.boolean().check(z.describe('Nothing is open.')),
  created_at: timestamp,
  url: z
    .nullable(z.string())
    .check(z.describe('The page of the invoice at Stripe. Null: a receipt of this service.')),
  pdf_url: z.nullable(z.string()).check(z.describe('The invoice as PDF, at Stripe.')),
})
export type Bill = z.infer<typeof bill>

export const listBills = endpoint({
  method: 'GET',
  path: '/api/billing/invoices',
  summary: 'Invoices and receipts of the member, newest first.',
  access: 'member',
  tokens: 'refused',
  output: z.object({
    data: z.array(bill),
    has_more: z.boolean().check(z.describe('Older invoices are in the customer portal.')),
  }),
  errors: ['stripe_failed'],
})
