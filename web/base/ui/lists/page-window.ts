// Computes the page numbers that a pagination shows.

/** Returns up to `size` page numbers, centered on the current page where possible. Pages start at 1. */
export function pageWindow(current: number, total: number, size = 5): number[] {
  const count = Math.min(size, total)
  const wanted = current - Math.floor(size / 2)
  const first = Math.max(1, Math.min(wanted, total - count + 1))
  return Array.from({ length: count }, (_, index) => first + index)
}
