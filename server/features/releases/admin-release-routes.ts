// Routes of the release operations for admins.
import * as contract from '#contract/admin/admin-releases.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PictureServices } from '../pictures/store-picture.ts'
import { listAdminReleases } from './admin-release-list.ts'
import { createRelease, getAdminRelease, updateRelease } from './admin-release-operations.ts'
import { deleteRelease, restoreRelease } from './delete-release.ts'
import { exportRelease } from './export-release.ts'
import { publishRelease, unpublishRelease } from './publish-release.ts'
import {
  confirmReleaseProposals,
  dismissReleaseProposals,
  listReleaseProposals,
} from './release-proposals.ts'

export function adminReleaseRoutes(
  route: Route,
  { pictures }: { pictures: PictureServices },
): void {
  route(contract.listAdminReleases, listAdminReleases)
  route(contract.getAdminRelease, getAdminRelease)
  route(contract.listReleaseProposals, listReleaseProposals)
  route(contract.confirmReleaseProposals, confirmReleaseProposals)
  route(contract.dismissReleaseProposals, dismissReleaseProposals)
  route.raw(contract.exportRelease, (ctx, input, _request, reply) =>
    exportRelease(ctx, input, reply, pictures),
  )
  route(contract.createRelease, (ctx, input) => createRelease(pictures, ctx, input))
  route(contract.updateRelease, (ctx, input) => updateRelease(pictures, ctx, input))
  route(contract.publishRelease, publishRelease)
  route(contract.unpublishRelease, unpublishRelease)
  route(contract.deleteRelease, deleteRelease)
  route(contract.restoreRelease, restoreRelease)
}
