// Members' operations on their own profile.
import { getProfile } from '#contract/profiles.ts'
import type { Route } from '../http/route.ts'
import { getOwnProfile } from './profile-operations.ts'

export function profileRoutes(route: Route): void {
  route(getProfile, getOwnProfile)
}
