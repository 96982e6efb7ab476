// Routes for the export of the whole catalogue.
import * as contract from '#contract/admin/catalogue-export.ts'
import type { Route } from '../../platform/http/route.ts'
import { exportCatalogue, type ExportServices } from './export-catalogue.ts'

export function exportRoutes(route: Route, services: ExportServices): void {
  route.raw(contract.exportCatalogue, (ctx, _input, _request, reply) =>
    exportCatalogue(ctx, reply, services),
  )
}
