// Members' operations on their own profile.
import {
  downloadMyData,
  getProfile,
  requestAccountDeletion,
  updateProfile,
} from '#contract/profiles.ts'
import type { Route } from '../../platform/http/route.ts'
import { downloadOwnData } from './own-data.ts'
import {
  getOwnProfile,
  requestOwnDeletion,
  updateOwnProfile,
  type ProfileServices,
} from './profile-operations.ts'

export function profileRoutes(route: Route, services: ProfileServices): void {
  route(getProfile, (ctx) => getOwnProfile(ctx, services.settings.current().admins_need_two_factor))
  route(updateProfile, async (ctx, input) => {
    const changed = await updateOwnProfile(services, ctx, input)
    // The next request must not see what was, before the database has told this instance too.
    services.auth.forget(ctx.actor.user_id)
    return changed
  })
  route.raw(downloadMyData, downloadOwnData)
  route(requestAccountDeletion, requestOwnDeletion)
}
