// Builds the Go programs that `npm run test:clients` needs, at the versions in lab/clients/go.mod.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeFingerprint, readStamp } from './fingerprint.mjs'
import { step } from './progress.mjs'
import { modulesFolder, root } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'
import { SetupError } from './setup-error.mjs'

const folder = join(modulesFolder, '.cache', 'velour-go-programs')

/** stripe-mock is a mock of Stripe's API, published by Stripe. */
const packages = {
  'stripe-mock': 'github.com/stripe/stripe-mock',
  'go-subsonic-walk': './go_subsonic_walk',
}

/** Returns the path of a program. Throws a SetupError if Go is missing or the build fails. */
export async function ensureGoProgram(name) {
  const program = join(folder, name)
  const stamp = join(folder, `${name}.installed`)
  const wanted = computeFingerprint(root, [
    'lab/clients/go.mod',
    'lab/clients/go.sum',
    'lab/clients/go_subsonic_walk/main.go',
  ])
  if (existsSync(program) && readStamp(stamp) === wanted) return program
  await run(['version'], `Go 1.22 or later (https://go.dev/dl), to build ${name}`)
  mkdirSync(folder, { recursive: true })
  await step(`Building ${name}`, () =>
    run(['build', '-o', program, packages[name]], `the Go module proxy, to build ${name}`),
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
