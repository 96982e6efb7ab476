// Requests that must reach the server while the session is still valid, such as reporting the last play.
const tasks = new Set<() => Promise<unknown>>()
/** Sign-out waits at most this long. */
const timeoutMs = 2000

/** Runs the task before each deliberate sign-out in this window, until the returned function is called. */
export function beforeSignOut(task: () => Promise<unknown>): () => void {
  tasks.add(task)
  return () => void tasks.delete(task)
}

/** Resolves when all tasks have settled, or after the timeout. */
export async function finishBeforeSignOut(): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)))
  await Promise.race([Promise.allSettled([...tasks].map((task) => task())), tooLong])
  clearTimeout(timer)
}
