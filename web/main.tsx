// Starts the app.
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { prefetchScreen, setPrefetchTable } from './app/prefetch-screen.ts'
import { followConnection } from './app/connection.ts'
import { createQueryClient } from './app/query-client.ts'
import { createRoutes } from './app/routes.tsx'
import { sessionQuery } from './app/session.ts'
import { siteQuery } from './app/site.ts'
import { catchInstallOffer } from './offline/install-offer.ts'
import { startKeepingWhenSignedIn } from './offline/start-keeping.ts'
import { followColorScheme } from './ui/color-scheme.ts'
import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'

followColorScheme()
followConnection()
catchInstallOffer()
const routes = createRoutes()
setPrefetchTable(routes)
// Asked for before React starts, so that they travel together with the code of the first screen.
prefetchScreen(location.pathname)
const queryClient = createQueryClient()
void queryClient.prefetchQuery(sessionQuery)
void queryClient.prefetchQuery(siteQuery)
startKeepingWhenSignedIn(queryClient)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createBrowserRouter(routes)} />
    </QueryClientProvider>
  </StrictMode>,
)
