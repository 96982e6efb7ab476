// Admins' operations on people.
import type { Stripe } from 'stripe'
import {
  banUser,
  createAdminUser,
  deleteUser,
  exportUsers,
  listUsers,
  resetUserPassword,
  unbanUser,
  updateUser,
  updateUserRole,
  updateUserSubscription,
} from '#contract/admin-users.ts'
import type { Auth } from '../auth/auth.ts'
import type { Route } from '../http/route.ts'
import { exportUsersAsCsv, listUsersForAdmin } from './user-list.ts'
import {
  banUserAsAdmin,
  createUserAsAdmin,
  deleteUserAsAdmin,
  resetUserPasswordAsAdmin,
  unbanUserAsAdmin,
  updateUserAsAdmin,
  updateUserRoleAsAdmin,
  updateUserSubscriptionAsAdmin,
} from './user-operations.ts'

export function userRoutes(route: Route, services: { auth: Auth; stripe: Stripe | null }): void {
  route(listUsers, listUsersForAdmin)
  route.raw(exportUsers, exportUsersAsCsv)
  route(createAdminUser, createUserAsAdmin)
  route(updateUser, updateUserAsAdmin)
  route(updateUserRole, updateUserRoleAsAdmin)
  route(updateUserSubscription, (ctx, input) => updateUserSubscriptionAsAdmin(services, ctx, input))
  route(banUser, banUserAsAdmin)
  route(unbanUser, unbanUserAsAdmin)
  route(resetUserPassword, (ctx, input) => resetUserPasswordAsAdmin(services, ctx, input))
  route(deleteUser, deleteUserAsAdmin)
}
