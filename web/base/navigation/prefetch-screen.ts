// Prefetches the code of the screen behind a link when the user is likely to follow it.
import { matchRoutes, type RouteObject } from 'react-router'
import { isScreenHandle } from './screen.ts'

const asked = new Set<() => Promise<unknown>>()
let table: RouteObject[] = []

/**
 * Sets the routes whose code can be prefetched. Call once, at startup. Links can't import the route table, because its
 * screens import links.
 */
export function setPrefetchTable(routes: RouteObject[]): void {
  table = routes
}

export function prefetchScreen(pathname: string): void {
  for (const { route } of matchRoutes(table, pathname) ?? []) {
    const handle: unknown = route.handle
    if (!isScreenHandle(handle) || asked.has(handle.load)) continue
    asked.add(handle.load)
    // Ignore a failed prefetch: the click retries and reports errors.
    handle.load().catch(() => asked.delete(handle.load))
  }
}
