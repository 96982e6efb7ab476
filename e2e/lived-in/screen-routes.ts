// Lists every screen of the product from the router, so that new screens are covered.
import type { Access } from '#contract/access.ts'
import type { RouteObject } from 'react-router'

export interface ScreenRoute {
  /** The router's path pattern, for example `/my-playlists/:id`. */
  path: string
  access: Access
}

/** Leaves out routes that only redirect. */
export async function listScreenRoutes(): Promise<ScreenRoute[]> {
  // Not a literal import: the tsconfig of these tests has no JSX.
  const router = '../../web/app/routes.tsx'
  const { createRoutes } = (await import(router)) as { createRoutes: () => RouteObject[] }
  return createRoutes().flatMap((route) => listScreensBelow(route, ''))
}

function listScreensBelow({ path, handle, children }: RouteObject, parent: string): ScreenRoute[] {
  const isWhole = !parent || path?.startsWith('/')
  // An index route has the URL of its layout route.
  const full = path === undefined ? parent : isWhole ? path : `${parent}/${path}`
  // A route with children is their layout, not a screen.
  if (children) return children.flatMap((child) => listScreensBelow(child, full))
  const { access } = (handle ?? {}) as Partial<ScreenRoute>
  return access ? [{ path: full, access }] : []
}
