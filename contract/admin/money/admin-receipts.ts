// Receipts for manually recorded payments, for admins.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { receipt, receiptParams } from '../../receipts.ts'

export const voidReceipt = endpoint({
  method: 'POST',
  path: '/api/admin-receipts/:receipt_number/void',
  summary:
    'Void a receipt. Nothing is deleted: the ledger gets a correction, and a voiding receipt with its own number is issued.',
  access: 'admin',
  dependsOnState: true,
  audit: { subscription: ['update'] },
  params: receiptParams,
  output: z.object({ data: receipt.check(z.describe('The number of the receipt that voids it.')) }),
  errors: ['receipt_not_found', 'receipt_void'],
})
