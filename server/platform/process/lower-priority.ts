// Lowers the priority of media processing, so that processes that serve requests run first.
import { setPriority } from 'node:os'

/** A value of `nice`, from -20 (highest) to 19 (lowest priority). */
const lowPriority = 10

/** Call it immediately after the start of the process, so that its threads inherit the priority. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, lowPriority)
  } catch (error) {
    // The process may have ended already. Its exit code then reports the failure.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
