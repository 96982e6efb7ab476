import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Runs the script with its own log. Returns the output of the process and its exit code. */
function runWithLog(script: string): Promise<{ said: string; code: unknown }> {
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
      (_error, stdout, stderr) => resolve({ said: stdout + stderr, code: child.exitCode }),
    )
  })
}

test('logs an error without attached rows and responses', async () => {
  const { said } = await runWithLog(`
    log.error({ err: refusal('23514', 'violates check constraint') }, 'a row')
    log.error({ err: refusal('22P02', 'invalid input syntax for type uuid: "hidden"') }, 'a value')
    log.error({ err: new Error('around it', { cause: refusal('22P02', 'no uuid: "hidden"') }) }, 'inside')
    log.error({ err: Object.assign(new Error('refused'), { status: 401, raw: { key: 'hidden' }, headers: { a: 'hidden' } }) }, 'raw')
    log.error({ err: { token: 'hidden' } }, 'no error at all')
    log.info({ req: { headers: { cookie: 'hidden', authorization: 'hidden' } }, who: { password: 'hidden', token: 'hidden' } }, 'fields')`)
  expect(said.trim().split('\n')).toHaveLength(6)
  expect(said).toMatch(/violates check constraint.*"code":"23514"/)
  expect(said).toContain('"table":"sessions"')
  expect(said).toContain('"status":401')
  expect(said).not.toContain('hidden')
})

test('keeps message, code and queue of an error that is a plain object', async () => {
  const { said } = await runWithLog(`
    const lost = refusal('57P01', 'terminating connection due to administrator command')
    log.error({ err: { ...lost, message: lost.message, stack: lost.stack, queue: 'send-mail', detail: 'hidden' } }, 'job queue')
    const value = refusal('22P02', 'invalid input syntax for type uuid: "hidden"')
    log.error({ err: { ...value, message: value.message, stack: value.stack } }, 'job queue')`)
  expect(said).toMatch(
    /"message":"terminating connection due to administrator command".*"code":"57P01".*"queue":"send-mail"/,
  )
  expect(said).toContain('"code":"22P02"')
  expect(said).not.toContain('hidden')
})

test('logs an uncaught error the same way, and ends the process', async () => {
  for (const script of [
    "throw refusal('23514', 'violates check constraint')",
    "Promise.reject(refusal('23514', 'violates check constraint')); setTimeout(() => {}, 60_000)",
  ]) {
    const { said, code } = await runWithLog(script)
    expect(code).toBe(1)
    expect(said).toMatch(/violates check constraint.*the server crashed/)
    expect(said).not.toContain('hidden')
  }
})
