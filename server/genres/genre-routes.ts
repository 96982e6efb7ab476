// Admins' operations on genres.
import { createGenre, deleteGenre, listGenres, updateGenre } from '#contract/admin-genres.ts'
import type { Route } from '../http/route.ts'
import {
  createGenreAsAdmin,
  deleteGenreAsAdmin,
  listGenresForAdmin,
  updateGenreAsAdmin,
} from './genre-operations.ts'

export function genreRoutes(route: Route): void {
  route(listGenres, listGenresForAdmin)
  route(createGenre, createGenreAsAdmin)
  route(updateGenre, updateGenreAsAdmin)
  route(deleteGenre, deleteGenreAsAdmin)
}
