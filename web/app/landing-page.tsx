// Renders the landing page on the server with the same components, router and cache as the app. Built as a separate
// bundle, which the server runs whenever the page's data has changed.
import { renderToString } from 'react-dom/server'
import { createMemoryRouter } from 'react-router'
import { AppRoot } from './app-root.tsx'
import { createQueryClient } from './query-client.ts'
import { resolveScreens } from '../base/navigation/resolve-screens.ts'
import { inShell } from './shell-route.ts'
import { fillFromLanding } from '../features/landing/fill-from-landing.ts'
import { landingDataId, type LandingData } from '../features/landing/landing-data.ts'
import { landingRoute } from '../features/landing/landing-route.ts'

/** Returns the HTML of the page's root element, and the script element that contains the page's data. */
export async function renderLanding(data: LandingData): Promise<{ root: string; facts: string }> {
  const routes = [inShell([landingRoute()])]
  await resolveScreens(routes, '/')
  const queryClient = createQueryClient()
  fillFromLanding(queryClient, data)
  const router = createMemoryRouter(routes)
  const root = renderToString(<AppRoot queryClient={queryClient} router={router} />)
  router.dispose()
  queryClient.clear()
  // Escape `<`: it is the only character that can end a script element early.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return { root, facts: `<script type="application/json" id="${landingDataId}">${json}</script>` }
}
