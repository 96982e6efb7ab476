// Routes for the owners of tracks, releases and artists.
import * as contract from '#contract/creators/owners.ts'
import type { Route } from '../../platform/http/route.ts'
import { changeOwners, findOwners } from './owner-operations.ts'

export function ownerRoutes(route: Route): void {
  route(contract.findOwners, findOwners)
  route(contract.changeOwners, changeOwners)
}
