// Routes for royalty statements.
import * as contract from '#contract/creators/royalties.ts'
import type { Route } from '../../platform/http/route.ts'
import { closeRoyalties, exportRoyalties, getRoyalties } from './royalty-operations.ts'

export function royaltyRoutes(route: Route): void {
  route(contract.getRoyalties, getRoyalties)
  route.raw(contract.exportRoyalties, exportRoyalties)
  route(contract.closeRoyalties, closeRoyalties)
}
