import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodeOf, runQuietly, superviseChildren } from './run-process.mjs'

const node = (program) =>
  spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })

test('keeps what a program says on both streams, and its exit code', async () => {
  const result = await runQuietly('/bin/sh', ['-c', 'echo out; echo err >&2; exit 3'])
  expect(result.exitCode).toBe(3)
  expect(result.output.trim().split('\n').sort()).toEqual(['err', 'out'])
})

test('reports a signal as a shell does', () => {
  expect(exitCodeOf(0, null)).toBe(0)
  expect(exitCodeOf(null, 'SIGTERM')).toBe(143)
  expect(exitCodeOf(null, 'SIGINT')).toBe(130)
})

test('ends the other children when one ends, and reports that one', async () => {
  const endless = node('setInterval(() => {}, 1000)')
  const exitCode = await superviseChildren([endless, node('process.exit(5)')])
  expect(exitCode).toBe(5)
  expect(endless.signalCode).toBe('SIGTERM')
})

test('passes a signal on, lets the child finish and keeps its exit code', async () => {
  const module = join(import.meta.dirname, 'run-process.mjs')
  const child = `process.on('SIGTERM', () => { console.log('stopping'); process.exit(7) })
    setInterval(() => {}, 1000); console.log('ready')`
  const parent = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { runInForeground } from ${JSON.stringify(module)}
       process.exitCode = await runInForeground(process.execPath, ['-e', ${JSON.stringify(child)}])`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = once(parent, 'exit')
  let said = ''
  for await (const chunk of parent.stdout.setEncoding('utf8')) {
    if (said === '' && chunk.includes('ready')) parent.kill('SIGTERM')
    said += chunk
  }
  expect(said).toBe('ready\nstopping\n')
  expect(await exited).toEqual([7, null])
})
