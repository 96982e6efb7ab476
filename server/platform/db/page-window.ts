// Numbered pages of long lists, read from the nearer end. So the last page is as fast as the first, and no page skips
// more than half of the rows.
type Direction = 'asc' | 'desc'

export interface PageWindow {
  limit: number
  offset: number
  /** The order in which to read. The caller restores the order of the list. */
  direction: Direction
}

/** `direction` is the order of the list. A page beyond the end has limit 0. */
export function computePageWindow(
  { page, page_size }: { page: number; page_size: number },
  total: number,
  direction: Direction,
): PageWindow {
  const offset = (page - 1) * page_size
  const limit = Math.max(0, Math.min(page_size, total - offset))
  const behind = Math.max(0, total - offset - limit)
  if (offset <= behind) return { limit, offset, direction }
  return { limit, offset: behind, direction: direction === 'asc' ? 'desc' : 'asc' }
}
