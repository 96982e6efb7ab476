// Starts other programs, either quietly with their output captured for error messages, or in the foreground.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './project-paths.mjs'

/**
 * Resolves to `{ exitCode, output }`. `output` holds stdout and stderr in order. Rejects when the program is missing.
 * If this process gets a signal, it first ends the program and its children, then itself.
 */
export function runQuietly(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    // Register the handlers before the start. Otherwise a signal in between would end this process and leave the
    // program running.
    const release = endGroupWithUs(() => child)
    const child = spawn(program, args, {
      cwd: root,
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Use a separate process group, so the whole group can be killed: npm leaves its children behind.
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => (output += chunk))
    }
    child.on('error', (error) => {
      release()
      reject(error)
    })
    child.on('close', (code, signal) => {
      const stoppedBy = release()
      if (stoppedBy) process.exit(toExitCode(null, stoppedBy))
      resolve({ exitCode: toExitCode(code, signal), output })
    })
  })
}

/**
 * Ends the program's process group when this process gets a signal. Returns a function that removes the handlers and
 * returns the signal that was received, or null.
 */
function endGroupWithUs(childOf) {
  let stoppedBy = null
  const kill = (signal) => {
    try {
      process.kill(-childOf().pid, signal)
    } catch (error) {
      // ESRCH means that all processes of the group have exited.
      if (error.code !== 'ESRCH') throw error
    }
  }
  const end = (signal) => {
    if (stoppedBy || !childOf().pid) return
    stoppedBy = signal
    kill('SIGTERM')
    // Kills the group after a grace period, because npm may ignore SIGTERM while it waits for the network.
    setTimeout(() => kill('SIGKILL'), groupGraceMs).unref()
  }
  for (const signal of stopSignals) process.on(signal, end)
  const watch = watchNpm(() => end('SIGTERM'))
  return () => {
    clearInterval(watch)
    for (const signal of stopSignals) process.off(signal, end)
    return stoppedBy
  }
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const groupGraceMs = 1000

/** Runs the program in the same terminal, forwards signals and resolves to the exit code. */
export function runInForeground(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, ...options, stdio: 'inherit' })
  return superviseChildren([child])
}

/**
 * Waits for several child processes. When one exits, sends SIGTERM to the others. Resolves to the first exit code
 * once all have exited.
 */
export async function superviseChildren(children) {
  const stopForwarding = forwardSignals(children)
  let firstCode
  const ends = children.map(async (child) => {
    const exitCode = await waitForExit(child)
    firstCode ??= exitCode
    for (const other of children) if (isRunning(other)) other.kill('SIGTERM')
  })
  try {
    await Promise.all(ends)
  } finally {
    stopForwarding()
  }
  return firstCode
}

/** Returns the exit code as a shell reports it: 128 + the signal number if a signal ended the program. */
export function toExitCode(code, signal) {
  return signal ? 128 + constants.signals[signal] : code
}

function waitForExit(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(toExitCode(code, signal)))
  })
}

function isRunning(child) {
  return child.exitCode === null && child.signalCode === null
}

/** Forwards signals that only this process receives. A terminal already sends Ctrl+C to the children. */
function forwardSignals(children) {
  const send = (signal) => {
    for (const child of children) if (isRunning(child)) child.kill(signal)
  }
  const handlers = stopSignals.map((signal) => {
    const handler = () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) send(signal)
    }
    process.on(signal, handler)
    return [signal, handler]
  })
  const watch = watchNpm(() => send('SIGTERM'))
  return () => {
    clearInterval(watch)
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}

/**
 * Calls `onGone` when the npm process that started this one disappears. npm cannot forward SIGKILL, so without this
 * check the children would keep running.
 */
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return undefined
  const npm = process.ppid
  return setInterval(() => {
    if (process.ppid !== npm) onGone()
  }, npmPollMs)
}

const npmPollMs = 500
