import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { toExitCode, runQuietly, superviseChildren } from './run-process.mjs'

const node = (program) =>
  spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })

test('returns the output of both streams and the exit code', async () => {
  const result = await runQuietly('/bin/sh', ['-c', 'echo out; echo err >&2; exit 3'])
  expect(result.exitCode).toBe(3)
  expect(result.output.trim().split('\n').sort()).toEqual(['err', 'out'])
})

test('returns 128 plus the signal number, as a shell does', () => {
  expect(toExitCode(0, null)).toBe(0)
  expect(toExitCode(null, 'SIGTERM')).toBe(143)
  expect(toExitCode(null, 'SIGINT')).toBe(130)
})

test('a signal ends a quiet program and its children, even if they ignore signals', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'velour-group-'))
  const pidFile = join(folder, 'pid')
  const ignoringSignals = `trap "" TERM INT; sleep 61 & echo $! > ${pidFile}; wait`
  const program = `
    import { runQuietly } from ${JSON.stringify(join(import.meta.dirname, 'run-process.mjs'))}
    await runQuietly('/bin/sh', ['-c', ${JSON.stringify(ignoringSignals)}])`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program])
  const ended = once(parent, 'exit')
  const grandchild = await vi.waitFor(
    async () => {
      const pid = Number(await readFile(pidFile, 'utf8'))
      expect(pid).toBeGreaterThan(0)
      return pid
    },
    { timeout: 10_000 },
  )
  parent.kill('SIGINT')
  expect(await ended).toEqual([130, null])
  await vi.waitFor(() => expect(isRunning(grandchild)).toBe(false), { timeout: 5_000 })
  await rm(folder, { recursive: true })
})

/** Whether a process is running. A zombie, which has exited but was not reaped yet, does not count. */
function isRunning(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z\s]/.test(stdout)
}

test('when one child exits, stops the other children and returns its exit code', async () => {
  const endless = node('setInterval(() => {}, 1000)')
  const exitCode = await superviseChildren([endless, node('process.exit(5)')])
  expect(exitCode).toBe(5)
  expect(endless.signalCode).toBe('SIGTERM')
})

const launcher = `
  import { runInForeground } from ${JSON.stringify(join(import.meta.dirname, 'run-process.mjs'))}
  const child = "process.on('SIGTERM', () => { console.log('stopping'); process.exit(7) });" +
    "setInterval(() => {}, 1000); console.log('ready')"
  process.exitCode = await runInForeground(process.execPath, ['-e', child])`

/** Runs `program` and kills it when its child is ready. Resolves to the output and exit of the child. */
async function killWhenReady(program, args, signal) {
  const parent = spawn(program, args, {
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(parent, 'exit')
  let said = ''
  for await (const chunk of parent.stdout.setEncoding('utf8')) {
    if (said === '' && chunk.includes('ready')) parent.kill(signal)
    said += chunk
  }
  return { said, exit: await exited }
}

test('forwards a signal, lets the child finish and returns its exit code', async () => {
  const args = ['--input-type=module', '-e', launcher]
  const { said, exit } = await killWhenReady(process.execPath, args, 'SIGTERM')
  expect(said).toBe('ready\nstopping\n')
  expect(exit).toEqual([7, null])
})

test('stops the child when npm gets SIGKILL', async () => {
  const asNpm = `require('node:child_process').spawn(process.execPath,
    ['--input-type=module', '-e', process.argv[1]], { stdio: 'inherit' })`
  const { said, exit } = await killWhenReady(process.execPath, ['-e', asNpm, launcher], 'SIGKILL')
  expect(said).toBe('ready\nstopping\n')
  expect(exit).toEqual([null, 'SIGKILL'])
})
