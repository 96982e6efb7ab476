// Admin routes for invitations. Accepting one is part of signing in (features/auth).
import * as contract from '#contract/admin/admin-invitations.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from './invitation-operations.ts'
import { createInvitations, previewInvitations } from './invite-many.ts'
import type { InvitationServices } from './send-invitation.ts'

export function invitationRoutes(route: Route, services: InvitationServices): void {
  route(contract.listInvitations, listInvitations)
  route(contract.createInvitation, (ctx, input) => createInvitation(services, ctx, input))
  route(contract.previewInvitations, previewInvitations)
  route(contract.createInvitations, createInvitations)
  route(contract.resendInvitation, (ctx, input) => resendInvitation(services, ctx, input))
  route(contract.revokeInvitation, revokeInvitation)
}
