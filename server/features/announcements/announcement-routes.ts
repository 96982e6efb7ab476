// Admin routes for announcements and for suspended addresses.
import * as contract from '#contract/announcements.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  countAnnouncementRecipients,
  createAnnouncement,
  deleteAnnouncement,
  listAnnouncements,
  previewAnnouncement,
  sendAnnouncement,
  testAnnouncement,
  updateAnnouncement,
  type AnnouncementServices,
} from './announcement-operations.ts'
import { listSuspendedAddresses, resumeAddress } from './suspended-addresses.ts'

export function announcementRoutes(route: Route, services: AnnouncementServices): void {
  route(contract.listAnnouncements, listAnnouncements)
  route(contract.countAnnouncementRecipients, (ctx, input) =>
    countAnnouncementRecipients(services, ctx, input),
  )
  route(contract.createAnnouncement, createAnnouncement)
  route(contract.updateAnnouncement, updateAnnouncement)
  route(contract.deleteAnnouncement, deleteAnnouncement)
  route(contract.previewAnnouncement, (ctx, input) => previewAnnouncement(services, ctx, input))
  route(contract.testAnnouncement, (ctx, input) => testAnnouncement(services, ctx, input))
  route(contract.sendAnnouncement, sendAnnouncement)
  route(contract.listSuspendedAddresses, listSuspendedAddresses)
  route(contract.resumeAddress, resumeAddress)
}
