// Admin operations on the settings.
import { getPreviewProgress, getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import type { Route } from '../../platform/http/route.ts'
import { countPreviews } from './preview-progress.ts'
import { saveSettings, showSettings, type SettingsServices } from './settings-operations.ts'

export function settingsRoutes(route: Route, services: SettingsServices): void {
  route(getSettings, (ctx) => showSettings(services, ctx))
  route(getPreviewProgress, countPreviews)
  route(updateSettings, (ctx, input) => saveSettings(services, ctx, input))
}
