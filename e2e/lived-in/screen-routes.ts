// Every screen of the product, read from the router itself, so that a new one cannot be forgotten.
import type { RouteObject } from 'react-router'

export interface ScreenRoute {
  /** As the router has it, `/my-playlists/:id` say. */
  path: string
  access: 'anyone' | 'member' | 'admin'
}

/** Routes that only redirect have no screen and are left out. */
export async function listScreenRoutes(): Promise<ScreenRoute[]> {
  // Not a literal: the type checker of the journeys reads no JSX.
  const router = '../../web/app/routes.tsx'
  const { createRoutes } = (await import(router)) as { createRoutes: () => RouteObject[] }
  return createRoutes().flatMap((route) => screensBelow(route, ''))
}

function screensBelow({ path, handle, children }: RouteObject, parent: string): ScreenRoute[] {
  const isWhole = !parent || path?.startsWith('/')
  // An index route has the address of its frame.
  const full = path === undefined ? parent : isWhole ? path : `${parent}/${path}`
  // A screen with children is their frame.
  if (children) return children.flatMap((child) => screensBelow(child, full))
  const { access } = (handle ?? {}) as Partial<ScreenRoute>
  return access ? [{ path: full, access }] : []
}
