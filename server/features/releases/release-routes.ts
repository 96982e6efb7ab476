// Routes of the release operations for members.
import * as contract from '#contract/releases.ts'
import type { Route } from '../../platform/http/route.ts'
import { getRelease, likeRelease, listReleases, unlikeRelease } from './release-operations.ts'

export function releaseRoutes(route: Route): void {
  route(contract.listReleases, listReleases)
  route(contract.getRelease, getRelease)
  route(contract.likeRelease, likeRelease)
  route(contract.unlikeRelease, unlikeRelease)
}
