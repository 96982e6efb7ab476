// Categories for admins.
import * as z from 'zod/mini'
import { cleanName } from '../fields/clean-name.ts'
import { category } from '../categories.ts'
import { endpoint } from '../endpoint.ts'
import { pictureErrors } from '../fields/pictures.ts'
import { toSlug } from '../fields/slug.ts'
import { readVersion, version } from '../fields/versions.ts'
import { pictureLimit } from '../rate-limit.ts'

export const adminCategory = z.extend(category, { version })
export type AdminCategory = z.infer<typeof adminCategory>

const params = z.object({ id: z.uuid() })
const display_name = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(1, 'Category name and display name are required'),
    z.maxLength(120),
  )
const description = z.nullable(z.string().check(z.trim(), z.maxLength(2000)))
const cover_path = z.nullable(z.string().check(z.maxLength(300)))

const slug = z.string().check(
  z.trim(),
  z.minLength(1, 'Category name and display name are required'),
  z.maxLength(120),
  // Refuse control characters before toSlug() turns them into hyphens.
  z.regex(/^\P{Cc}*$/u, 'Use letters, digits and hyphens'),
  z.overwrite(toSlug),
  z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Use letters, digits and hyphens'),
)

export const listAdminCategories = endpoint({
  method: 'GET',
  path: '/api/admin-categories',
  summary: 'Every category in order, including hidden ones, with its number of tracks.',
  access: 'creator',
  owned: 'filtered',
  output: z.object({ data: z.array(adminCategory) }),
})

export const getAdminCategory = endpoint({
  method: 'GET',
  path: '/api/admin-categories/:id',
  summary: 'A category by its id or slug.',
  access: 'editor',
  versionAt: 'version',
  params: z.object({ id: z.string().check(z.maxLength(80)) }),
  output: adminCategory,
  errors: ['category_not_found'],
})

export const createCategory = endpoint({
  method: 'POST',
  path: '/api/admin-categories',
  summary: 'Create a visible category after the existing ones.',
  access: 'editor',
  creates: true,
  audit: { category: ['create'] },
  body: z.object({
    category: slug,
    display_name,
    description: z.optional(description),
    cover_path: z.optional(cover_path),
  }),
  output: adminCategory,
  rateLimit: pictureLimit,
  errors: ['category_exists', ...pictureErrors],
})

export const updateCategory = endpoint({
  method: 'PATCH',
  path: '/api/admin-categories/:id',
  summary: 'Change the given fields: name, description, cover, visibility, position.',
  access: 'editor',
  versionAt: 'version',
  audit: { category: ['update'] },
  params,
  body: z.object({
    display_name: z.optional(display_name),
    description: z.optional(description),
    cover_path: z.optional(cover_path),
    is_visible: z.optional(z.boolean()),
    sort_order: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(100_000))),
    version: readVersion,
  }),
  output: adminCategory,
  rateLimit: pictureLimit,
  errors: ['category_not_found', 'changed_meanwhile', ...pictureErrors],
})

export const reorderCategories = endpoint({
  method: 'PUT',
  path: '/api/admin-categories',
  summary: 'Reorder the categories. List every id once, in the new order.',
  access: 'editor',
  audit: { category: ['update'] },
  body: z.object({ ids: z.array(z.uuid()).check(z.maxLength(10_000)) }),
  output: z.object({ data: z.array(adminCategory) }),
  errors: ['conflict'],
})

export const deleteCategory = endpoint({
  method: 'DELETE',
  path: '/api/admin-categories/:id',
  summary: 'Delete a category. Its tracks keep their other categories.',
  access: 'editor',
  needsConfirmation: true,
  audit: { category: ['delete'] },
  params,
  errors: ['category_not_found'],
})

export const restoreCategory = endpoint({
  method: 'POST',
  path: '/api/admin-categories/:id/restore',
  summary:
    'Undo the deletion of a category within a minute. Tracks whose categories have changed since are not restored.',
  access: 'editor',
  audit: { category: ['restore'] },
  params,
  output: adminCategory,
  errors: ['undo_expired', 'category_exists'],
})

export const addTracksToCategory = endpoint({
  method: 'POST',
  path: '/api/admin-categories/:id/tracks',
  summary: 'Make this category the first one of the given tracks.',
  access: 'editor',
  audit: { category: ['update'] },
  params,
  body: z.object({
    track_ids: z.array(z.uuid()).check(z.minLength(1, 'No tracks selected'), z.maxLength(10_000)),
  }),
  output: z.object({ updated: z.number() }),
  errors: ['category_not_found'],
})
