// Starts the app: in an empty page, or hydrates a server-rendered one.
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { AppRoot } from './app/app-root.tsx'
import { appStarted } from './base/session/app-start.ts'
import { isBelowFloor } from './app/browser-floor.ts'
import { followConnection } from './base/api/connection.ts'
import { watchForMissingCode } from './base/navigation/missing-code.ts'
import { prefetchScreen, setPrefetchTable } from './base/navigation/prefetch-screen.ts'
import { createQueryClient } from './app/query-client.ts'
import { resolveScreens } from './base/navigation/resolve-screens.ts'
import { createRoutes } from './app/routes.tsx'
import { sessionQuery } from './base/session/session.ts'
import { siteQuery } from './base/session/site.ts'
import { fillFromLanding } from './features/landing/fill-from-landing.ts'
import { readLandingData } from './features/landing/landing-data.ts'
import { catchInstallOffer } from './features/offline/install-offer.ts'
import { startDownloadManager } from './features/offline/start-download-manager.ts'
import { followColorScheme } from './base/ui/theme/color-scheme.ts'
import './base/ui/theme/fonts.css'
import './base/ui/theme/tokens.css'
import './base/ui/theme/base.css'

// before-start.js reloads a page without this attribute.
document.documentElement.setAttribute('data-app-started', '')
try {
  sessionStorage.removeItem('velour-loaded-again')
} catch {
  // If storage is blocked, before-start.js has stored nothing.
}
followColorScheme()
followConnection()
watchForMissingCode()
catchInstallOffer()
const routes = createRoutes()
setPrefetchTable(routes)
// Start loading the code of the first screen before React renders.
prefetchScreen(location.pathname)
const queryClient = createQueryClient()
const landing = readLandingData()
if (landing) {
  // The landing data does not contain the session. Fetch it after hydration: an earlier response would render another
  // page than the server did.
  fillFromLanding(queryClient, landing)
  void appStarted.then(() => startDownloadManager(queryClient))
} else {
  void queryClient.prefetchQuery(sessionQuery)
  void queryClient.prefetchQuery(siteQuery)
  startDownloadManager(queryClient)
}
draw().catch((error: unknown) => {
  // If the code of the screen fails to load, the server-rendered page stays unchanged.
  console.error(error)
})

async function draw(): Promise<void> {
  // The notice for old browsers is already shown. Don't start the app: it would work only partly and fail at every
  // click.
  if (isBelowFloor()) return
  const place = document.getElementById('root')
  if (!place) throw new Error('index.html has no #root')
  if (landing) await resolveScreens(routes, location.pathname)
  const app = <AppRoot queryClient={queryClient} router={createBrowserRouter(routes)} />
  if (landing) hydrateRoot(place, app)
  else createRoot(place).render(app)
}
