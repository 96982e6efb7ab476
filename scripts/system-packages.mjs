// Installs system packages where that is possible: as root, on Debian and its derivatives.
import { existsSync } from 'node:fs'
import { step } from './progress.mjs'
import { runQuietly } from './run-process.mjs'

/** Returns whether an install was attempted. The caller must check whether the programs exist afterwards. */
export async function installPackages(what, names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  await step(`Installing ${what} from the system’s packages`, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await runQuietly('apt-get', ['update'], { env })
    await runQuietly('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env })
  })
  return true
}
