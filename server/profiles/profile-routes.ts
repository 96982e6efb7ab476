// Members' operations on their own profile.
import {
  downloadMyData,
  getProfile,
  requestAccountDeletion,
  updateProfile,
} from '#contract/profiles.ts'
import type { SessionCheck } from '../auth/session-check.ts'
import type { Route } from '../http/route.ts'
import type { PictureServices } from '../media/take-picture.ts'
import { downloadOwnData } from './own-data.ts'
import { getOwnProfile, requestOwnDeletion, updateOwnProfile } from './profile-operations.ts'

export interface ProfileServices {
  pictures: PictureServices
  auth: Pick<SessionCheck, 'forget'>
}

export function profileRoutes(route: Route, { pictures, auth }: ProfileServices): void {
  route(getProfile, getOwnProfile)
  route(updateProfile, async (ctx, input) => {
    const changed = await updateOwnProfile(pictures, ctx, input)
    // The next request must not see the old profile, even before the notification from the database arrives.
    auth.forget(ctx.actor.user_id)
    return changed
  })
  route.raw(downloadMyData, downloadOwnData)
  route(requestAccountDeletion, requestOwnDeletion)
}
