// Builds stripe-mock, Stripe's own mock of its API, at the version in lab/clients/go.mod, for `npm run test:clients`.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeFingerprint, readStamp } from './fingerprint.mjs'
import { step } from './progress.mjs'
import { modulesFolder, root } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'
import { SetupError } from './setup-error.mjs'

const folder = join(modulesFolder, '.cache', 'velour-stripe-mock')

/** Returns the path of the program. Throws a SetupError that names what is missing. */
export async function ensureStripeMock() {
  const program = join(folder, 'stripe-mock')
  const stamp = join(folder, '.velour-installed')
  const wanted = computeFingerprint(root, ['lab/clients/go.mod', 'lab/clients/go.sum'])
  if (existsSync(program) && readStamp(stamp) === wanted) return program
  await run(['version'], 'Go 1.22 or later (https://go.dev/dl), to build stripe-mock')
  mkdirSync(folder, { recursive: true })
  await step('Building stripe-mock', () =>
    run(
      ['build', '-o', program, 'github.com/stripe/stripe-mock'],
      'the Go module proxy, for github.com/stripe/stripe-mock',
    ),
  )
  writeFileSync(stamp, wanted)
  return program
}

async function run(args, what) {
  const options = { cwd: join(root, 'lab', 'clients') }
  const { exitCode, output } = await runQuietly('go', args, options).catch((error) => ({
    exitCode: 1,
    output: String(error),
  }))
  if (exitCode !== 0) throw new SetupError(`These tests need ${what}.\n\n${output.trim()}`)
}
