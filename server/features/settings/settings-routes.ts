// Routes of the settings operations for admins.
import * as contract from '#contract/admin/admin-settings.ts'
import type { Route } from '../../platform/http/route.ts'
import { getPreviewProgress } from './preview-progress.ts'
import { updateSettings, getSettings, type SettingsServices } from './settings-operations.ts'

export function settingsRoutes(route: Route, services: SettingsServices): void {
  route(contract.getSettings, (ctx) => getSettings(services, ctx))
  route(contract.getPreviewProgress, getPreviewProgress)
  route(contract.updateSettings, (ctx, input) => updateSettings(services, ctx, input))
}
