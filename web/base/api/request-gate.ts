// Delays requests while the session is being checked, and until the user has signed in again. Otherwise, a rejected
// request would replace a form with unsaved work by an error screen.
let gate: Promise<void> | null = null

/** True for requests that check the session or sign in. They are never delayed. */
const isFree = (path: string) => /^\/api\/(?:auth\/|profile$|site$)/.test(path)

/** Delays requests until the promise settles. */
export function closeGate(until: Promise<unknown>): void {
  const closed: Promise<void> = until.then(
    () => open(closed),
    () => open(closed),
  )
  gate = closed
}

/** Resolves when a request to this path may be sent. */
export async function waitForGate(path: string): Promise<void> {
  while (gate && !isFree(path)) await gate
}

function open(closed: Promise<void>): void {
  if (gate === closed) gate = null
}
