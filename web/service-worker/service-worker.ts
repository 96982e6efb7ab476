// Lets the app start without a connection and plays what this device keeps. It answers for three kinds of
// addresses and lets everything else pass: the app's own files, screens when the server is silent, and
// kept music. Invariant: no answer of the API is ever kept here.
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { answerWithAudio, answerWithCover } from './answer-with-kept.ts'

declare const self: ServiceWorkerGlobalScope
declare const __APP_SHELL__: { url: string; revision: string | null }[]

/** A server that is silent for longer is as good as none. */
const patienceMs = 4000

registerRoute(
  ({ request }) => request.mode === 'navigate',
  ({ event }) => answerScreen(event as FetchEvent),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/offline/'),
  ({ request, url }) => answerWithAudio(request, url),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/media/covers/'),
  ({ request, url }) => answerWithCover(request, url),
)
precacheAndRoute(__APP_SHELL__, { directoryIndex: '', cleanURLs: false })
cleanupOutdatedCaches()

self.addEventListener('activate', (event) => {
  // The page asks while this worker is still waking up.
  event.waitUntil(
    Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]),
  )
})
self.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void self.skipWaiting()
})

/** The server's page while there is a server, so that nobody is left on an old version. */
async function answerScreen(event: FetchEvent): Promise<Response> {
  const fromServer = askServer(event)
  const tooLate = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null))
  const answer = await Promise.race([fromServer.catch(() => null), tooLate])
  // A proxy in front of a server that is restarting answers too.
  if (answer && answer.status < 500) return answer
  return (await matchPrecache('/index.html')) ?? answer ?? fromServer
}

async function askServer(event: FetchEvent): Promise<Response> {
  const preloaded = (await event.preloadResponse) as Response | undefined
  return preloaded ?? fetch(event.request)
}
