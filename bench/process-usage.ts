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
    if (hasEnded(error)) return 0
    throw error
  }
}

/** Seconds for which the cores of the machine were at work so far, for whomever. */
export function busySeconds(): number {
  const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user! + nice! + system! + irq! + softirq!) / ticksPerSecond
}

/** Seconds of processor time so far; `withChildren` adds those of its family, also of those that ended already. */
export function processorSeconds(pid: number, withChildren = false): number {
  const pids = withChildren ? familyOf(pid) : [pid]
  const ticks = pids.flatMap((one) => ticksOf(one, withChildren))
  return ticks.reduce((sum, value) => sum + value, 0) / ticksPerSecond
}

/** Its own, and where wanted those of its ended children. One that ends meanwhile is counted by its parent the next time. */
function ticksOf(pid: number, withEnded: boolean): number[] {
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

/** From the state on: the name before it may hold anything. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
