// Starting other programs: quietly, keeping what they say for the case that they fail, or in the foreground.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './project-paths.mjs'

/**
 * Resolves to `{ exitCode, output }`; `output` holds both streams in order. Rejects when the program is missing. A signal
 * to us ends the program with all that it started, and then us.
 */
export function runQuietly(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, which can be ended as a whole: npm leaves its children behind.
      detached: true,
    })
    const release = endGroupWithUs(child)
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
      if (stoppedBy) process.exit(exitCodeOf(null, stoppedBy))
      resolve({ exitCode: exitCodeOf(code, signal), output })
    })
  })
}

/** Returns a function that removes the signal handlers and returns the signal that was received, or null. */
function endGroupWithUs(child) {
  let stoppedBy = null
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal)
    } catch (error) {
      // It has ended meanwhile.
      if (error.code !== 'ESRCH') throw error
    }
  }
  const end = (signal) => {
    if (stoppedBy || !child.pid) return
    stoppedBy = signal
    kill('SIGTERM')
    // npm may take no notice while it waits for the network.
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

/** Runs with our terminal, passes signals on and resolves to the exit code. */
export function runInForeground(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, ...options, stdio: 'inherit' })
  return superviseChildren([child])
}

/** Resolves to the exit code of the first child that ends, once all have ended: the others are asked to stop. */
export async function superviseChildren(children) {
  const stopForwarding = forwardSignals(children)
  let firstCode
  const ends = children.map(async (child) => {
    const exitCode = await ended(child)
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

/** What a shell would report: 128 + the signal's number for a program ended by one. */
export function exitCodeOf(code, signal) {
  return signal ? 128 + constants.signals[signal] : code
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(exitCodeOf(code, signal)))
  })
}

function isRunning(child) {
  return child.exitCode === null && child.signalCode === null
}

/** Ctrl+C in a terminal reaches the children by itself; signals sent to us alone are passed on. */
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

/** An npm that is killed outright takes its command with it; nothing may go on behind the person's back. */
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return undefined
  const npm = process.ppid
  return setInterval(() => {
    if (process.ppid !== npm) onGone()
  }, npmPollMs)
}

const npmPollMs = 500
