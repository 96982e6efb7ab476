// The only script that the landing page needs: it plays previews before the app is loaded, and loads the app. The app's
// files are fetched when the page is idle; the app starts with the first user input. A click on a button outside the
// hero before the app has started is repeated afterwards.
import { appStarted } from '../base/session/app-start.ts'
import { hasDownloadMark } from '../base/offline-store/download-mark.ts'
import { readLandingData } from '../features/landing/landing-data.ts'
import { attachStage } from '../features/landing/preview-stage.ts'

/** Events that only users trigger. The first usually arrives well before the first click. */
const userInputEvents = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown']
const idleTimeoutMs = 2000

let pressedEarly: HTMLElement | null = null
let isStarting = false

const facts = readLandingData()
const stage = document.querySelector<HTMLElement>('[data-stage]')
if (facts && stage) attachStage(stage, facts.showcase)

document.addEventListener('click', recordPress, { capture: true })
void appStarted.then(() => {
  document.removeEventListener('click', recordPress, { capture: true })
  pressedEarly?.click()
})
for (const eventName of userInputEvents) addEventListener(eventName, startApp, { passive: true })
if (document.readyState === 'complete') whenIdle(prepareApp)
else addEventListener('load', () => whenIdle(prepareApp), { once: true })

function recordPress(event: MouseEvent): void {
  const element = event.target instanceof Element ? event.target.closest('button, input') : null
  if (!(element instanceof HTMLElement) || stage?.contains(element)) return
  event.preventDefault()
  pressedEarly = element
  startApp()
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: idleTimeoutMs })
  else setTimeout(act)
}

/**
 * Starts the app immediately in three cases: users with a session need their navigation, downloads on this device may
 * have to be locked, and a page without music or in maintenance polls for changes. Otherwise only prefetches the app's
 * files.
 */
function prepareApp(): void {
  const isWaiting = !facts || facts.showcase.length === 0 || facts.site.maintenance_mode
  if (isWaiting || !facts.is_visitor || hasDownloadMark()) return startApp()
  for (const href of filesOfApp()) {
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href })
    link.fetchPriority = 'low'
    document.head.append(link)
  }
}

function startApp(): void {
  const [app] = filesOfApp()
  if (!app || isStarting) return
  isStarting = true
  for (const eventName of userInputEvents) removeEventListener(eventName, startApp)
  import(/* @vite-ignore */ app).catch((error: unknown) => {
    // The server is unreachable: the page works without the app, its links still navigate, and the next click retries.
    isStarting = false
    console.info(error)
  })
}

/**
 * Returns the URLs of the app's files, listed in the page: the entry first, then its dependencies. Empty if the page
 * starts the app itself.
 */
function filesOfApp(): string[] {
  const script = document.querySelector<HTMLScriptElement>('script[data-app]')
  return script?.dataset['app']?.split(' ') ?? []
}
