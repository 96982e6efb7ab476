// Release operations for admins.
import * as contract from '#contract/admin/admin-releases.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PictureServices } from '../pictures/take-picture.ts'
import { listAdminReleases } from './admin-release-list.ts'
import { createRelease, getAdminRelease, updateRelease } from './admin-release-operations.ts'
import { deleteRelease, restoreRelease } from './delete-release.ts'
import { publishRelease, unpublishRelease } from './publish-release.ts'

export function adminReleaseRoutes(
  route: Route,
  { pictures }: { pictures: PictureServices },
): void {
  route(contract.listAdminReleases, listAdminReleases)
  route(contract.getAdminRelease, getAdminRelease)
  route(contract.createRelease, (ctx, input) => createRelease(pictures, ctx, input))
  route(contract.updateRelease, (ctx, input) => updateRelease(pictures, ctx, input))
  route(contract.publishRelease, publishRelease)
  route(contract.unpublishRelease, unpublishRelease)
  route(contract.deleteRelease, deleteRelease)
  route(contract.restoreRelease, restoreRelease)
}
