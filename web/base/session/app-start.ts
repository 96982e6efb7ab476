// Delays code of a server-rendered page until the app is interactive.

let resolveStarted: () => void
/** Resolves when the app has hydrated the page and every button works. */
export const appStarted = new Promise<void>((resolve) => (resolveStarted = resolve))

export function appHasStarted(): void {
  resolveStarted()
}
