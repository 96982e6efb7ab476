// Installs the service worker after the first screen, and shows a toast when a newer version is available.
import { showToast } from '../../base/ui/overlays/toast-store.ts'

const pollMs = 3600 * 1000
/**
 * Wait until the page has loaded. The installation fetches every file of the app, and the first screen needs its data
 * first.
 */
const delayMs = 3000

export function registerWorker(): void {
  // During development, files change without a new service worker.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const start = () => void setTimeout(() => void register(), delayMs)
  if (document.readyState === 'complete') start()
  else addEventListener('load', start, { once: true })
}

async function register(): Promise<void> {
  let registration: ServiceWorkerRegistration
  try {
    registration = await navigator.serviceWorker.register('/service-worker.js')
  } catch (error) {
    // The browser's settings forbid it, or the server is unreachable: the app works without a service worker.
    console.info(error)
    return
  }
  if (registration.waiting) void offer(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      const isFirst = navigator.serviceWorker.controller === null
      if (installing.state === 'installed' && !isFirst) void offer(installing)
    })
  })
  setInterval(() => {
    // Ignore failures: the update check fails while offline.
    registration.update().catch(() => {})
  }, pollMs)
}

/**
 * Activates the new service worker, or offers to reload the page. While online, pages are fetched from the server, so
 * this page may already be the new version. Then it needs no reload.
 */
async function offer(worker: ServiceWorker): Promise<void> {
  if (await isPageNewest()) {
    worker.postMessage('take-over')
    return
  }
  showToast({
    title: 'A new version is ready',
    durationMs: 60_000,
    action: {
      label: 'Reload',
      onAction() {
        navigator.serviceWorker.addEventListener('controllerchange', () => location.reload())
        worker.postMessage('take-over')
      },
    },
  })
}

/**
 * Returns whether this page is the newest version: compares its script with the one in the server's page. The service
 * worker does not cache `/`.
 */
async function isPageNewest(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  // On a server-rendered page, a small inline script loaded the app.
  const running = script?.dataset['app']?.split(' ')[0] ?? (script && new URL(script.src).pathname)
  try {
    const page = await (await fetch('/', { cache: 'no-store' })).text()
    return Boolean(running && page.includes(running))
  } catch {
    return false
  }
}
