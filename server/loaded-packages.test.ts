// Packages for payments, stores, mail, pictures and archives need much memory, and native decoders must not run in
// the server. So they are loaded only by child processes, or on first use.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const printPackages = `
  import { registerHooks } from 'node:module'
  const packages = new Set()
  registerHooks({
    load(url, context, next) {
      const [name] = [...url.matchAll(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/g)].map((match) => match[1]).reverse()
      if (name) packages.add(name)
      return next(url, context)
    },
  })
  for (const file of ['app', 'services', 'worker']) await import('./server/' + file + '.ts')
  console.log(JSON.stringify([...packages]))
  process.exit()`

test('the server starts without the packages that few requests need', async () => {
  const run = promisify(execFile)
  const root = new URL('..', import.meta.url)
  const { stdout } = await run(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', printPackages],
    { cwd: root },
  )
  const loaded = JSON.parse(stdout) as string[]
  expect(loaded).toContain('fastify')
  const onDemand =
    /^(?:sharp|stripe|@aws-sdk|@img|nodemailer|imapflow|postal-mime|@zxcvbn-ts|@ffmpeg|age-encryption)/
  expect(loaded.filter((name) => onDemand.test(name))).toEqual([])
})
