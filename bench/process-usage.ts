// What a process takes of the machine, as Linux counts it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const pageBytes = 4096
const ticksPerSecond = 100
const megabyte = 1024 * 1024

/** Only Linux tells; elsewhere what hangs on it is left out. */
export const canReadUsage = existsSync('/proc/self/smaps_rollup')

export function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes
}

/** How much larger than `before` (in bytes) the process gets until `stop`, in MB. */
export function watchMemory(pid: number, before = residentBytes(pid)): { stop: () => number } {
  let most = before
  const timer = setInterval(() => (most = Math.max(most, residentBytes(pid))), 50)
  return {
    stop() {
      clearInterval(timer)
      return Math.round((most - before) / megabyte)
    },
  }
}

/** MB of memory, what is shared divided among those who share it. */
export function proportionalMegabytes(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)![1])
  })
  return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024)
}

/** The process and all that descend from it. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(Number(name)))
  }
  const family = [pid]
  for (const one of family) {
    for (const [child, parent] of parents) if (parent === one) family.push(child)
  }
  return family
}

function parentOf(pid: number): number {
  try {
    return Number(statFields(pid)[1])
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}

/** Seconds of processor time so far; `withChildren` adds those that ended already. */
export function processorSeconds(pid: number, withChildren = false): number {
  const fields = statFields(pid)
  const ticks = fields.slice(11, withChildren ? 15 : 13)
  return ticks.reduce((sum, value) => sum + Number(value), 0) / ticksPerSecond
}

/** From the state on: the name before it may hold anything. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
