// A window left open during a deployment may request code that the server no longer has. Its URL is still valid in the
// newer version, so the page is reloaded. It reloads only once, so that a broken version can't cause a loop.

const reloadedAtKey = 'velour-reloaded-at'
const oncePerMs = 60_000

let isMissing = false

/** Detects code that failed to load. Call once, before any code is loaded. */
export function watchForMissingCode(): void {
  // Vite's loader fires this event for every script or style that failed to load.
  addEventListener('vite:preloadError', () => {
    isMissing = true
  })
}

/** Reloads the page, unless all code has loaded, the server is unreachable, or the page was reloaded recently. */
export async function reloadForMissingCode(): Promise<void> {
  const reloadedAt = Number(sessionStorage.getItem(reloadedAtKey))
  if (!isMissing || Date.now() - reloadedAt < oncePerMs) return
  const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) return
  sessionStorage.setItem(reloadedAtKey, String(Date.now()))
  location.reload()
}
