// Lowers the priority of media work, so that it yields to processes that serve requests.
import { setPriority } from 'node:os'

/** On the scale of `nice`. */
const lowPriority = 10

/** Call it right after the start, so that threads started later inherit it. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, lowPriority)
  } catch (error) {
    // A command that failed immediately may have ended already; its exit code reports that.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
