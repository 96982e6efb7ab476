// Loads the code of the screens at a URL before the router is created, so that they render immediately. React can only
// hydrate a server-rendered page if every component is loaded.
import { matchRoutes, type RouteObject } from 'react-router'
import { isScreenHandle } from './screen.ts'

/** Modifies `routes`. */
export async function resolveScreens(routes: RouteObject[], pathname: string): Promise<void> {
  const matches = matchRoutes(routes, pathname) ?? []
  await Promise.all(
    matches.map(async ({ route }) => {
      const handle: unknown = route.handle
      if (!isScreenHandle(handle)) return
      route.Component = await handle.load()
      delete route.lazy
    }),
  )
}
