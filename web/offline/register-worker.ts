// Installs the service worker once the page has settled, and offers a newer version when there is one.
import { showToast } from '../ui/toast-store.ts'

const lookEveryMs = 3600 * 1000

export function registerWorker(): void {
  // In development files change under the worker's feet.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const start = () => void register()
  if (document.readyState === 'complete') start()
  else addEventListener('load', start, { once: true })
}

async function register(): Promise<void> {
  let registration: ServiceWorkerRegistration
  try {
    registration = await navigator.serviceWorker.register('/service-worker.js')
  } catch (error) {
    // Forbidden by the browser's settings, or the server is gone: the app works without it.
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
    // Without a connection there is nothing newer.
    registration.update().catch(() => {})
  }, lookEveryMs)
}

/** Screens come from the server while there is one, so the page may be of the new version already. */
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

/** Compares the script that runs here with that of the server's page, under an address that the worker lets pass. */
async function isPageNewest(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  // Where the server drew the page, its own small script brought the app.
  const running = script?.dataset['app']?.split(' ')[0] ?? (script && new URL(script.src).pathname)
  try {
    const page = await (await fetch('/', { cache: 'no-store' })).text()
    return Boolean(running && page.includes(running))
  } catch {
    return false
  }
}
