// Lets the code of a server-rendered page wait until the app is interactive.

let resolveStarted: () => void
/** Resolves when every button works. */
export const appStarted = new Promise<void>((resolve) => (resolveStarted = resolve))

export function appHasStarted(): void {
  resolveStarted()
}
