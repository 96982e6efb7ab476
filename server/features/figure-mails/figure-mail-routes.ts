// Routes for the weekly statistics emails to admins.
import * as contract from '#contract/admin/service/admin-figure-mails.ts'
import type { Route } from '../../platform/http/route.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { getFigureMails, setFigureMails } from './figure-mail-operations.ts'

export function figureMailRoutes(route: Route, services: { settings: SettingsCache }): void {
  route(contract.getFigureMails, getFigureMails)
  route(contract.setFigureMails, (ctx, input) => setFigureMails(services, ctx, input))
}
