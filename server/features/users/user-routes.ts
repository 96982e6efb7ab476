// Admin routes for users.
import * as adminBulkContract from '#contract/admin/admin-bulk.ts'
import * as adminPeopleContract from '#contract/admin/admin-people.ts'
import * as adminUsersContract from '#contract/admin/admin-users.ts'
import type { Auth } from '../auth/auth.ts'
import type { Route } from '../../platform/http/route.ts'
import { changePeople } from './change-people.ts'
import { listPersonAudit } from './person-audit.ts'
import { addPersonNote, deletePersonNote, listPersonNotes } from './person-notes.ts'
import {
  endPersonSession,
  endPersonSessions,
  getPerson,
  listPersonPlays,
  listPersonSessions,
} from './person-page.ts'
import { removeTwoFactor } from './remove-person-two-factor.ts'
import { exportUsers, listUsers } from './user-list.ts'
import {
  banUser,
  createAdminUser,
  deleteUser,
  dismissDeletionRequest,
  resetUserPassword,
  unbanUser,
  updateUser,
  updateUserRole,
  updateUserSubscription,
} from './user-operations.ts'
import type { StripeAccess } from '../billing/stripe-client.ts'

export function userRoutes(route: Route, services: { auth: Auth; stripe: StripeAccess }): void {
  route(adminUsersContract.listUsers, listUsers)
  route.raw(adminUsersContract.exportUsers, exportUsers)
  route(adminUsersContract.createAdminUser, createAdminUser)
  route(adminUsersContract.updateUser, updateUser)
  route(adminUsersContract.updateUserRole, updateUserRole)
  route(adminUsersContract.updateUserSubscription, (ctx, input) =>
    updateUserSubscription(services, ctx, input),
  )
  route(adminUsersContract.banUser, banUser)
  route(adminUsersContract.unbanUser, unbanUser)
  route(adminUsersContract.resetUserPassword, (ctx, input) =>
    resetUserPassword(services, ctx, input),
  )
  route(adminPeopleContract.removeTwoFactor, (ctx, input) => removeTwoFactor(services, ctx, input))
  route(adminUsersContract.deleteUser, deleteUser)
  route(adminBulkContract.changePeople, changePeople)
  route(adminPeopleContract.getPerson, getPerson)
  route(adminPeopleContract.listPersonPlays, listPersonPlays)
  route(adminPeopleContract.listPersonSessions, listPersonSessions)
  route(adminPeopleContract.endPersonSession, endPersonSession)
  route(adminPeopleContract.endPersonSessions, endPersonSessions)
  route(adminPeopleContract.listPersonNotes, listPersonNotes)
  route(adminPeopleContract.addPersonNote, addPersonNote)
  route(adminPeopleContract.deletePersonNote, deletePersonNote)
  route(adminPeopleContract.listPersonAudit, listPersonAudit)
  route(adminPeopleContract.dismissDeletionRequest, dismissDeletionRequest)
}
