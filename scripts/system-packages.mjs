// Installs packages of the system where that is allowed and possible: as root, on Debian and what descends from it.
import { existsSync } from 'node:fs'
import { step } from './progress.mjs'
import { runQuietly } from './run-process.mjs'

/** Whether it was tried; whether it worked shows in what is there afterwards. */
export async function installPackages(what, names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  await step(`Installing ${what} from the system’s packages`, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await runQuietly('apt-get', ['update'], { env })
    await runQuietly('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env })
  })
  return true
}
