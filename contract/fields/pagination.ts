// Numbered pages for tables in the back office.
import * as z from 'zod/mini'

export const pageQuery = (defaultSize: number) => ({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)), 1),
  page_size: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)),
    defaultSize,
  ),
})

export const sortDirections = ['asc', 'desc'] as const
export type Direction = (typeof sortDirections)[number]

export const pagination = z.object({
  page: z.number(),
  page_size: z.number(),
  total: z.number(),
  total_pages: z.number(),
})

/** The `pagination` of a response that contains one page of `total` rows. An empty list has one page. */
export function paginate(query: { page: number; page_size: number }, total: number) {
  const { page, page_size } = query
  return { page, page_size, total, total_pages: Math.max(1, Math.ceil(total / page_size)) }
}
