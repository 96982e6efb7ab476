// Routes for imports of archives, servers and lists.
import * as contract from '#contract/admin/imports.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import {
  confirmImport,
  decideImportItems,
  importTrackList,
  listImportItems,
  listImports,
  retryImport,
  startImport,
  startServerImport,
  stopImport,
} from './import-operations.ts'

export function importRoutes(
  route: Route,
  services: Pick<PlatformServices, 'jobs' | 'config' | 'secretBox'>,
): void {
  route(contract.listImports, listImports)
  route(contract.startImport, (ctx, input) => startImport(services, ctx, input))
  route(contract.startServerImport, (ctx, input) => startServerImport(services, ctx, input))
  route(contract.confirmImport, (ctx, input) => confirmImport(services, ctx, input))
  route(contract.listImportItems, listImportItems)
  route(contract.decideImportItems, (ctx, input) => decideImportItems(services, ctx, input))
  route(contract.importTrackList, importTrackList)
  route(contract.retryImport, (ctx, input) => retryImport(services, ctx, input))
  route(contract.stopImport, stopImport)
}
