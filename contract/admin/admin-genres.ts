// Genres for admins.
import * as z from 'zod/mini'
import { cleanName } from '../fields/clean-name.ts'
import { endpoint } from '../endpoint.ts'

export const genre = z.object({ id: z.uuid(), name: z.string(), track_count: z.number() })
export type Genre = z.infer<typeof genre>

const params = z.object({ id: z.uuid() })
const body = z.object({
  name: z
    .string()
    .check(z.overwrite(cleanName), z.minLength(1, 'Genre name is required'), z.maxLength(80)),
})

export const listGenres = endpoint({
  method: 'GET',
  path: '/api/admin-genres',
  summary: 'Every genre by name, with its number of tracks.',
  access: 'creator',
  owned: 'filtered',
  output: z.object({ data: z.array(genre) }),
})

export const createGenre = endpoint({
  method: 'POST',
  path: '/api/admin-genres',
  summary: 'Create a genre.',
  access: 'editor',
  creates: true,
  audit: { genre: ['create'] },
  body,
  output: genre,
  errors: ['genre_exists'],
})

export const updateGenre = endpoint({
  method: 'PATCH',
  path: '/api/admin-genres/:id',
  summary: 'Rename a genre, including on all its tracks.',
  access: 'editor',
  audit: { genre: ['update'] },
  params,
  body,
  output: genre,
  errors: ['genre_not_found', 'genre_exists'],
})

export const deleteGenre = endpoint({
  method: 'DELETE',
  path: '/api/admin-genres/:id',
  summary: 'Delete a genre that no track uses.',
  access: 'editor',
  needsConfirmation: true,
  audit: { genre: ['delete'] },
  params,
  errors: ['genre_not_found', 'genre_in_use'],
})

export const restoreGenre = endpoint({
  method: 'POST',
  path: '/api/admin-genres/:id/restore',
  summary: 'Undo the deletion of a genre within a minute.',
  access: 'editor',
  audit: { genre: ['restore'] },
  params,
  output: genre,
  errors: ['undo_expired', 'genre_exists'],
})
