// Genre operations for admins.
import {
  createGenre,
  deleteGenre,
  listGenres,
  restoreGenre,
  updateGenre,
} from '#contract/admin/admin-genres.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import {
  createGenreAsAdmin,
  deleteGenreAsAdmin,
  listGenresForAdmin,
  restoreGenreAsAdmin,
  updateGenreAsAdmin,
} from './genre-operations.ts'

export function genreRoutes(route: Route, services: Pick<PlatformServices, 'jobs'>): void {
  route(listGenres, listGenresForAdmin)
  route(createGenre, createGenreAsAdmin)
  route(updateGenre, (ctx, input) => updateGenreAsAdmin(services, ctx, input))
  route(deleteGenre, deleteGenreAsAdmin)
  route(restoreGenre, restoreGenreAsAdmin)
}
