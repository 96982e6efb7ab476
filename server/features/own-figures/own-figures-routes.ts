// Routes for a creator's own statistics.
import * as contract from '#contract/creators/own-figures.ts'
import type { Route } from '../../platform/http/route.ts'
import { getOwnFigures } from './own-figures.ts'

export function ownFiguresRoutes(route: Route): void {
  route(contract.getOwnFigures, getOwnFigures)
}
