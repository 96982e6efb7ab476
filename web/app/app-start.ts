// When the app is there: a page that the server drew waits for it with what it cannot do itself.

let tellStarted: () => void
/** Every button works now. */
export const appStarted = new Promise<void>((resolve) => (tellStarted = resolve))

export function appHasStarted(): void {
  tellStarted()
}
