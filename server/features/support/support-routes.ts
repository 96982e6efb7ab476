// Routes of support messages for members, and of the inbox for admins.
import * as adminContract from '#contract/admin/service/admin-support.ts'
import * as contract from '#contract/support.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  answerSupportThread,
  changeSupportThread,
  getSupportThread,
  listSupportInbox,
  type SupportServices,
} from './admin-support.ts'
import { addSupportMessage, createSupportThread, listSupportThreads } from './support-operations.ts'

export function supportRoutes(route: Route, services: SupportServices): void {
  route(contract.listSupportThreads, listSupportThreads)
  route(contract.createSupportThread, createSupportThread)
  route(contract.addSupportMessage, addSupportMessage)
  route(adminContract.listSupportInbox, listSupportInbox)
  route(adminContract.getSupportThread, getSupportThread)
  route(adminContract.answerSupportThread, (ctx, input) =>
    answerSupportThread(services, ctx, input),
  )
  route(adminContract.changeSupportThread, changeSupportThread)
}
