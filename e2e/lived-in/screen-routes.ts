// Lists every screen of the app from its router, so that new screens are tested, too.
import type { Access } from '#contract/access.ts'
import type { RouteObject } from 'react-router'

export interface ScreenRoute {
  /** Path pattern of the route, such as `/my-playlists/:id`. */
  path: string
  access: Access
}

/** Returns all screens. Leaves out routes that only redirect. */
export async function listScreenRoutes(): Promise<ScreenRoute[]> {
  // A variable instead of a literal, because these tests are compiled without JSX.
  const router = '../../web/app/routes.tsx'
  const { createRoutes } = (await import(router)) as { createRoutes: () => RouteObject[] }
  return createRoutes().flatMap((route) => listScreensBelow(route, ''))
}

function listScreensBelow({ path, handle, children }: RouteObject, parent: string): ScreenRoute[] {
  const isWhole = !parent || path?.startsWith('/')
  // An index route has the same URL as its parent.
  const full = path === undefined ? parent : isWhole ? path : `${parent}/${path}`
  // A route with children is a layout around them, not a screen.
  if (children) return children.flatMap((child) => listScreensBelow(child, full))
  const { access } = (handle ?? {}) as Partial<ScreenRoute>
  return access ? [{ path: full, access }] : []
}
