// CPU time and memory of processes, read from /proc on Linux.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const pageBytes = 4096
const ticksPerSecond = 100
const megabyte = 1024 * 1024

/** False on other systems than Linux. These measurements are then left out. */
export const canReadUsage = existsSync('/proc/self/smaps_rollup')

export function readResidentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes
}

/** Watches the memory of a process. `stop` returns how far it rose above `before` (bytes), in MB. */
export function watchMemory(pid: number, before = readResidentBytes(pid)): { stop: () => number } {
  let most = before
  const timer = setInterval(() => (most = Math.max(most, readResidentBytes(pid))), 50)
  return {
    stop() {
      clearInterval(timer)
      return Math.round((most - before) / megabyte)
    },
  }
}

/** Returns the memory of processes in MB. Shared memory is divided among the processes that share it (PSS). */
export function readProportionalMegabytes(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)![1])
  })
  return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024)
}

/** Returns the ids of a process and all its descendants. */
export function listProcessTree(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), readParent(Number(name)))
  }
  const family = [pid]
  for (const one of family) {
    for (const [child, parent] of parents) if (parent === one) family.push(child)
  }
  return family
}

function readParent(pid: number): number {
  try {
    return Number(statFields(pid)[1])
  } catch (error) {
    if (hasEnded(error)) return 0
    throw error
  }
}

/** Returns the CPU seconds of all cores and processes of this machine so far. */
export function readMachineCpuSeconds(): number {
  const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user! + nice! + system! + irq! + softirq!) / ticksPerSecond
}

/** Returns the CPU seconds of a process so far. `withChildren` adds its descendants, even those that have exited. */
export function readProcessorSeconds(pid: number, withChildren = false): number {
  const pids = withChildren ? listProcessTree(pid) : [pid]
  const ticks = pids.flatMap((one) => readTicks(one, withChildren))
  return ticks.reduce((sum, value) => sum + value, 0) / ticksPerSecond
}

/**
 * Returns the CPU ticks of a process. `withEnded` adds its exited children. A process that has exited itself is counted
 * for its parent.
 */
function readTicks(pid: number, withEnded: boolean): number[] {
  try {
    return statFields(pid)
      .slice(11, withEnded ? 15 : 13)
      .map(Number)
  } catch (error) {
    if (hasEnded(error)) return []
    throw error
  }
}

function hasEnded(error: unknown): boolean {
  return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Returns the fields of /proc/PID/stat from the state on. The name before it may contain any character. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
