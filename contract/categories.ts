// Categories for members: only visible ones, in the order that the owner has set.
import * as z from 'zod/mini'
import { coverFields } from './fields/cover-fields.ts'
import { endpoint } from './endpoint.ts'

export const category = z.object({
  id: z.uuid(),
  category: z.string().check(z.describe('The slug of the category.')),
  display_name: z.string(),
  description: z.nullable(z.string()),
  ...coverFields,
  is_visible: z.boolean(),
  sort_order: z.number(),
  track_count: z.number(),
})
export type Category = z.infer<typeof category>

export const listCategories = endpoint({
  method: 'GET',
  path: '/api/categories',
  summary: 'Visible categories in order, with their number of published tracks.',
  access: 'member',
  output: z.object({ data: z.array(category) }),
})
