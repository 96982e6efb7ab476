// One process of a cluster. It can be killed, stopped, paused and restarted, and writes its output to a log file.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ClusterProcess {
  readonly name: string
  /** The port on 127.0.0.1 at which the process listens. */
  readonly port: number
  /** Process id since the last start. */
  readonly pid: number
  readonly isRunning: boolean
  /** Resolves when the process is ready. If it exits before that, rejects with the end of its output. */
  start: () => Promise<void>
  /**
   * Sends SIGKILL to the process and its descendants, as if the machine was lost. Resolves when the process has exited.
   */
  kill: () => Promise<void>
  /** Shuts the process down gracefully. Resolves when it has exited. */
  stop: () => Promise<void>
  /** Sends SIGSTOP, and later SIGCONT, to the process and its descendants, as if the machine hung. */
  pause: () => void
  resume: () => void
}

interface Command {
  program: string
  args: string[]
  env: Record<string, string | undefined>
  uid?: number
  gid?: number
}

const readyTimeoutMs = 90_000
const pollMs = 50
const stopTimeoutMs = 60_000
const outputTail = 2_000

export function createClusterProcess(options: {
  name: string
  port: number
  logFile: string
  /** Returns the command. Called at every start. */
  command: () => Command | Promise<Command>
  isReady: () => Promise<boolean>
  /** The signal that shuts the process down gracefully. */
  stopSignal?: NodeJS.Signals
}): ClusterProcess {
  const { name, port, logFile, stopSignal = 'SIGTERM' } = options
  let child: ChildProcess | null = null
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const signalAll = (signal: NodeJS.Signals) => {
    if (child?.pid && isRunning()) signalTree(child.pid, signal)
  }
  const kill = async () => {
    if (!child || !isRunning()) return
    const exit = once(child, 'exit')
    // Pause the process first, so that it can't fork while its descendants are listed.
    child.kill('SIGSTOP')
    signalAll('SIGKILL')
    await exit
  }
  const stop = async () => {
    if (!child || !isRunning()) return
    const exit = once(child, 'exit')
    signalAll('SIGCONT')
    child.kill(stopSignal)
    const late = setTimeout(() => signalAll('SIGKILL'), stopTimeoutMs)
    await exit
    clearTimeout(late)
  }
  return {
    name,
    port,
    get pid() {
      return child?.pid ?? 0
    },
    get isRunning() {
      return isRunning()
    },
    async start() {
      if (isRunning()) return
      const { program, args, env, uid, gid } = await options.command()
      const log = openSync(logFile, 'a', 0o600)
      child = spawn(program, args, {
        cwd: '/',
        env,
        stdio: ['ignore', log, log],
        // In a process group of its own, Ctrl+C doesn't reach the process. The cluster stops its processes in order.
        detached: true,
        ...(uid !== undefined && { uid, gid }),
      })
      closeSync(log)
      // Kill the process if this one exits without stopping it.
      const own = child
      const abandon = () => own.kill('SIGKILL')
      process.once('exit', abandon)
      own.once('exit', () => process.off('exit', abandon))
      await once(own, 'spawn')
      const giveUpAt = Date.now() + readyTimeoutMs
      while (!(await options.isReady())) {
        if (!isRunning() || Date.now() > giveUpAt) {
          await kill()
          const output = readFileSync(logFile, 'utf8').slice(-outputTail)
          throw new Error(`${name} did not get ready:\n${output}`)
        }
        await sleep(pollMs)
      }
    },
    kill,
    stop,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  }
}

/** Sends a signal to a process and its descendants. The process comes last, so that it can't react to their exit. */
function signalTree(parent: number, signal: NodeJS.Signals): void {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  const family = [parent]
  for (const one of family) {
    for (const [pid = 0, ppid] of pairs) if (ppid === one) family.push(pid)
  }
  for (const pid of family.toReversed()) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
