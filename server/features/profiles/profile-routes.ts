// Routes for a member's own profile.
import * as contract from '#contract/profiles.ts'
import type { Route } from '../../platform/http/route.ts'
import { downloadMyData } from './own-data.ts'
import {
  getProfile,
  requestAccountDeletion,
  updateProfile,
  type ProfileServices,
} from './profile-operations.ts'

export function profileRoutes(route: Route, services: ProfileServices): void {
  route(contract.getProfile, (ctx) =>
    getProfile(ctx, services.settings.current().admins_need_two_factor),
  )
  route(contract.updateProfile, (ctx, input) => updateProfile(services, ctx, input))
  route.raw(contract.downloadMyData, downloadMyData)
  route(contract.requestAccountDeletion, requestAccountDeletion)
}
