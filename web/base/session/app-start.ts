// Lets code of a server-rendered page run only once the app is interactive.

let resolveStarted: () => void
/** Resolves when the app has been hydrated and every button works. */
export const appStarted = new Promise<void>((resolve) => (resolveStarted = resolve))

export function appHasStarted(): void {
  resolveStarted()
}
