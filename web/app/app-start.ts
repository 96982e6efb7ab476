// Lets the code of a server-rendered page wait until the app is interactive.

let tellStarted: () => void
/** Resolves when every button works. */
export const appStarted = new Promise<void>((resolve) => (tellStarted = resolve))

export function appHasStarted(): void {
  tellStarted()
}
