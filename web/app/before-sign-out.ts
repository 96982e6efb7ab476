// What has to reach the server while the session is still good, such as the last play.
const tasks = new Set<() => Promise<unknown>>()
/** Signing out waits no longer than this. */
const patienceMs = 2000

/** Runs before every deliberate sign-out of this window, until the returned function is called. */
export function beforeSignOut(task: () => Promise<unknown>): () => void {
  tasks.add(task)
  return () => void tasks.delete(task)
}

/** Resolves when all have finished, or after a while. */
export async function finishBeforeSignOut(): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)))
  await Promise.race([Promise.allSettled([...tasks].map((task) => task())), tooLong])
  clearTimeout(timer)
}
