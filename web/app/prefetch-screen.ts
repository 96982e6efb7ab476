// Fetches the code of the screen behind a link as soon as the person looks like going there.
import { matchRoutes, type RouteObject } from 'react-router'
import { isScreenHandle } from './screen.ts'

const asked = new Set<() => Promise<unknown>>()
let table: RouteObject[] = []

/** Told once, at the start: links cannot import the table, whose screens import links. */
export function setPrefetchTable(routes: RouteObject[]): void {
  table = routes
}

export function prefetchScreen(pathname: string): void {
  for (const { route } of matchRoutes(table, pathname) ?? []) {
    const handle: unknown = route.handle
    if (!isScreenHandle(handle) || asked.has(handle.load)) continue
    asked.add(handle.load)
    // Not reachable right now: the click itself tries again and reports.
    handle.load().catch(() => asked.delete(handle.load))
  }
}
