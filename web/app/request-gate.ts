// Requests wait here while it is being found out whether the session is over, and then until the member has
// signed in again: a refused one would replace a form that holds unsaved work by an error.
let gate: Promise<void> | null = null

/** What finds out, and what signs in. */
const isFree = (path: string) => /^\/api\/(?:auth\/|profile$|site$)/.test(path)

/** Closes until the promise settles, fulfilled or rejected. */
export function closeGate(until: Promise<unknown>): void {
  const closed: Promise<void> = until.then(
    () => open(closed),
    () => open(closed),
  )
  gate = closed
}

/** Resolves when a request to this path may go out. */
export async function passGate(path: string): Promise<void> {
  while (gate && !isFree(path)) await gate
}

function open(closed: Promise<void>): void {
  if (gate === closed) gate = null
}
