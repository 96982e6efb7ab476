// Installs nginx, the proxy in front of several instances. `npm run cluster` and some test suites need it.
import { existsSync } from 'node:fs'
import { SetupError } from './setup-error.mjs'
import { installPackages } from './system-packages.mjs'

const programs = [
  '/usr/sbin/nginx',
  '/usr/bin/nginx',
  '/usr/local/bin/nginx',
  '/opt/homebrew/bin/nginx',
]

/** Throws a SetupError with instructions if nginx can't be installed. */
export async function ensureNginx() {
  const isThere = () => programs.some((program) => existsSync(program))
  if (isThere()) return
  await installPackages('nginx', ['nginx-light'])
  if (isThere()) return
  throw new SetupError('A cluster needs nginx: install nginx-light, or nginx.')
}
