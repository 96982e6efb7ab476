// User operations for admins.
import type { Stripe } from 'stripe'
import { changePeople } from '#contract/admin/admin-bulk.ts'
import {
  addPersonNote,
  deletePersonNote,
  dismissDeletionRequest,
  endPersonSession,
  endPersonSessions,
  getPerson,
  listPersonAudit,
  listPersonNotes,
  listPersonPlays,
  listPersonSessions,
  removeTwoFactor,
} from '#contract/admin/admin-people.ts'
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
} from '#contract/admin/admin-users.ts'
import type { Auth } from '../auth/auth.ts'
import type { Route } from '../../platform/http/route.ts'
import { changePeopleAsAdmin } from './change-people.ts'
import { listPersonAuditForAdmin } from './person-audit.ts'
import {
  addPersonNoteAsAdmin,
  deletePersonNoteAsAdmin,
  listPersonNotesForAdmin,
} from './person-notes.ts'
import {
  endPersonSessionAsAdmin,
  endPersonSessionsAsAdmin,
  getPersonForAdmin,
  listPersonPlaysForAdmin,
  listPersonSessionsForAdmin,
} from './person-page.ts'
import { removeTwoFactorAsAdmin } from './remove-person-two-factor.ts'
import { exportUsersAsCsv, listUsersForAdmin } from './user-list.ts'
import {
  banUserAsAdmin,
  createUserAsAdmin,
  deleteUserAsAdmin,
  dismissDeletionRequestAsAdmin,
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
  route(removeTwoFactor, (ctx, input) => removeTwoFactorAsAdmin(services, ctx, input))
  route(deleteUser, deleteUserAsAdmin)
  route(changePeople, changePeopleAsAdmin)
  route(getPerson, getPersonForAdmin)
  route(listPersonPlays, listPersonPlaysForAdmin)
  route(listPersonSessions, listPersonSessionsForAdmin)
  route(endPersonSession, endPersonSessionAsAdmin)
  route(endPersonSessions, endPersonSessionsAsAdmin)
  route(listPersonNotes, listPersonNotesForAdmin)
  route(addPersonNote, addPersonNoteAsAdmin)
  route(deletePersonNote, deletePersonNoteAsAdmin)
  route(listPersonAudit, listPersonAuditForAdmin)
  route(dismissDeletionRequest, dismissDeletionRequestAsAdmin)
}
