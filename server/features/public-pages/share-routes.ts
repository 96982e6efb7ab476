import * as contract from '#contract/public-pages.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PageCounts } from './page-counts.ts'
import { recordShare } from './record-share.ts'

export function shareRoutes(route: Route, counts: PageCounts): void {
  route(contract.recordShare, (ctx, input) => recordShare(counts, ctx, input))
}
