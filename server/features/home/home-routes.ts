// Route of the members' start screen.
import * as contract from '#contract/home.ts'
import type { Route } from '../../platform/http/route.ts'
import type { HomeShelves } from './home-shelves.ts'

export function homeRoutes(route: Route, { home }: { home: HomeShelves }): void {
  route(contract.getHome, home.getHome)
}
