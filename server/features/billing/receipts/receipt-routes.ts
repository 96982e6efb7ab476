// Routes for receipts, for members and admins.
import * as adminContract from '#contract/admin/money/admin-receipts.ts'
import * as contract from '#contract/receipts.ts'
import type { Route } from '../../../platform/http/route.ts'
import { createBillingMailer, type BillingMailServices } from '../notices/billing-mailer.ts'
import { getReceipt, voidReceipt } from './receipt-operations.ts'

export function receiptRoutes(route: Route, services: BillingMailServices): void {
  const sendMail = createBillingMailer(services)
  route(contract.getReceipt, (ctx, input) => getReceipt(ctx, input))
  route(adminContract.voidReceipt, (ctx, input) => voidReceipt({ sendMail }, ctx, input))
}
