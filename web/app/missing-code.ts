// A window that was left open for long may ask for code that no server has any more. Its address is a screen of the
// newer version as well, so the page is loaded anew: once, lest one that is broken does it for ever.

const reloadedAtKey = 'velour-reloaded-at'
const oncePerMs = 60_000

let isMissing = false

/** Call it once, before anything is loaded. */
export function noticeMissingCode(): void {
  // Sent by the bundler's loader for every file of code or style that did not come.
  addEventListener('vite:preloadError', () => {
    isMissing = true
  })
}

/** Does nothing where all code came, where no server answers, and shortly after it was done. */
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
