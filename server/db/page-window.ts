// Numbered pages of long lists, found from the nearer end: the last page costs what the first one costs, and none
// skips more than half of the rows.
type Direction = 'asc' | 'desc'

export interface PageWindow {
  limit: number
  offset: number
  /** In which to read; the answer is put into the list's own order afterwards. */
  direction: Direction
}

/** `direction` is the list's own. A page beyond the end has the limit 0. */
export function pageWindow(
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
