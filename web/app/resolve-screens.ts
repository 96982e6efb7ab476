// Fetches the code of the screens at an address before the router is made, which then shows them at once instead
// of an empty place. React can take over a drawn page only from a tree that has everything.
import { matchRoutes, type RouteObject } from 'react-router'
import { isScreenHandle } from './screen.ts'

/** Writes into `routes`. */
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
