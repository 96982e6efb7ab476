// Installs the Subsonic clients that are written in Python into a virtual environment, for `npm run test:clients`.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeFingerprint, readStamp } from './fingerprint.mjs'
import { step } from './progress.mjs'
import { modulesFolder, root } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'
import { SetupError } from './setup-error.mjs'

const folder = join(modulesFolder, '.cache', 'velour-python-clients')
const list = join(root, 'lab', 'clients', 'requirements.txt')

/**
 * Returns the path of a Python program that can import these packages. Throws a SetupError if Python is missing or
 * the installation fails.
 */
export async function ensurePythonClients() {
  const python = join(folder, 'bin', 'python')
  const stamp = join(folder, '.velour-installed')
  const wanted = computeFingerprint(root, ['lab/clients/requirements.txt'])
  if (existsSync(python) && readStamp(stamp) === wanted) return python
  await step('Installing the Python clients for Subsonic', async () => {
    await run('python3', ['-m', 'venv', folder], 'Python 3 with its module venv (python3-venv)')
    await run(
      python,
      ['-m', 'pip', 'install', '--quiet', '-r', list],
      'PyPI, for py-opensonic and knuckles',
    )
  })
  writeFileSync(stamp, wanted)
  return python
}

async function run(program, args, what) {
  const { exitCode, output } = await runQuietly(program, args).catch((error) => ({
    exitCode: 1,
    output: String(error),
  }))
  if (exitCode !== 0) throw new SetupError(`These tests need ${what}.\n\n${output.trim()}`)
}
