// Routes of the genre operations for admins.
import * as contract from '#contract/admin/admin-genres.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import {
  createGenre,
  deleteGenre,
  listGenres,
  restoreGenre,
  updateGenre,
} from './genre-operations.ts'

export function genreRoutes(route: Route, services: Pick<PlatformServices, 'jobs'>): void {
  route(contract.listGenres, listGenres)
  route(contract.createGenre, createGenre)
  route(contract.updateGenre, (ctx, input) => updateGenre(services, ctx, input))
  route(contract.deleteGenre, deleteGenre)
  route(contract.restoreGenre, restoreGenre)
}
