// Lets the app start offline and play downloads, and shows notifications. It handles three kinds of requests: the app's
// own files, screens when the server does not respond, and downloads. All other requests pass through. Invariant: API
// responses are never cached here.
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { serveAudio, serveCover } from './serve-downloads.ts'
import { handleNotifications } from './notifications.ts'

declare const self: ServiceWorkerGlobalScope
declare const __APP_SHELL__: { url: string; revision: string | null }[]

/** Timeout before the cached page is used. */
const timeoutMs = 4000

registerRoute(
  ({ request }) => request.mode === 'navigate',
  ({ event }) => answerScreen(event as FetchEvent),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/offline/'),
  ({ request, url }) => serveAudio(request, url),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/media/covers/'),
  ({ request, url }) => serveCover(request, url),
)
precacheAndRoute(__APP_SHELL__, { directoryIndex: '', cleanURLs: false })
cleanupOutdatedCaches()

self.addEventListener('activate', (event) => {
  // Enable navigation preload: the request for a page runs while this worker starts.
  event.waitUntil(
    Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]),
  )
})
handleNotifications()
self.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void self.skipWaiting()
})

/** Prefers the server's page while the server responds, so that no browser stays on an old version. */
async function answerScreen(event: FetchEvent): Promise<Response> {
  const fromServer = fetchFromServer(event)
  const tooLate = new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null))
  const answer = await Promise.race([fromServer.catch(() => null), tooLate])
  // Ignore 5xx responses: a proxy sends them while the server behind it restarts.
  if (answer && answer.status < 500) return answer
  return (await matchPrecache('/index.html')) ?? answer ?? fromServer
}

async function fetchFromServer(event: FetchEvent): Promise<Response> {
  const preloaded = (await event.preloadResponse) as Response | undefined
  return preloaded ?? fetch(event.request)
}
