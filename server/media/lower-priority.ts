// Media work yields to every process that answers a person.
import { setPriority } from 'node:os'

/** On the scale of `nice`. */
const lowPriority = 10

/** To be called right after the start, so that the threads it starts later inherit it. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, lowPriority)
  } catch (error) {
    // A command that fails at once can be gone already; its exit code tells the story.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
