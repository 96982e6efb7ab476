import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Runs the script in a process with the server's log. Returns the output and the exit code. */
function runWithLog(script: string): Promise<{ output: string; code: unknown }> {
  const path = JSON.stringify(join(import.meta.dirname, 'server-log.ts'))
  const source = `import { createServerLog, logCrashes } from ${path}
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    const log = createServerLog('trace'); logCrashes(log);
    const refusal = (code, message) => Object.assign(new pg.DatabaseError(message, 0, 'error'),
      { code, table: 'sessions', detail: 'Failing row contains (hidden).', where: 'hidden' })
    ${script}`
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--input-type=module', '--eval', source],
      (_error, stdout, stderr) => resolve({ output: stdout + stderr, code: child.exitCode }),
    )
  })
}

test('logs an error without attached rows and responses', async () => {
  const { output } = await runWithLog(`
    log.error({ err: refusal('23514', 'violates check constraint') }, 'a row')
    log.error({ err: refusal('22P02', 'invalid input syntax for type uuid: "hidden"') }, 'a value')
    log.error({ err: new Error('around it', { cause: refusal('22P02', 'no uuid: "hidden"') }) }, 'inside')
    log.error({ err: Object.assign(new Error('refused'), { status: 401, raw: { key: 'hidden' }, headers: { a: 'hidden' } }) }, 'raw')
    log.error({ err: { token: 'hidden' } }, 'no error at all')
    log.info({ req: { headers: { cookie: 'hidden', authorization: 'hidden' } }, who: { password: 'hidden', token: 'hidden' } }, 'fields')`)
  expect(output.trim().split('\n')).toHaveLength(6)
  expect(output).toMatch(/violates check constraint.*"code":"23514"/)
  expect(output).toContain('"table":"sessions"')
  expect(output).toContain('"status":401')
  expect(output).not.toContain('hidden')
})

test('keeps message, code and queue of an error that is a plain object', async () => {
  const { output } = await runWithLog(`
    const lost = refusal('57P01', 'terminating connection due to administrator command')
    log.error({ err: { ...lost, message: lost.message, stack: lost.stack, queue: 'send-mail', detail: 'hidden' } }, 'job queue')
    const value = refusal('22P02', 'invalid input syntax for type uuid: "hidden"')
    log.error({ err: { ...value, message: value.message, stack: value.stack } }, 'job queue')`)
  expect(output).toMatch(
    /"message":"terminating connection due to administrator command".*"code":"57P01".*"queue":"send-mail"/,
  )
  expect(output).toContain('"code":"22P02"')
  expect(output).not.toContain('hidden')
})

test('logs an uncaught error like other errors, and ends the process', async () => {
  for (const script of [
    "throw refusal('23514', 'violates check constraint')",
    "Promise.reject(refusal('23514', 'violates check constraint')); setTimeout(() => {}, 60_000)",
  ]) {
    const { output, code } = await runWithLog(script)
    expect(code).toBe(1)
    expect(output).toMatch(/violates check constraint.*the server crashed/)
    expect(output).not.toContain('hidden')
  }
})
