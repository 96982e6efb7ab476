// The proxy in front of several instances, for the cluster and the suites that need one.
import { existsSync } from 'node:fs'
import { SetupError } from './setup-error.mjs'
import { installPackages } from './system-packages.mjs'

const programs = [
  '/usr/sbin/nginx',
  '/usr/bin/nginx',
  '/usr/local/bin/nginx',
  '/opt/homebrew/bin/nginx',
]

/** Throws a SetupError that says what to do. */
export async function ensureNginx() {
  const isThere = () => programs.some((program) => existsSync(program))
  if (isThere()) return
  await installPackages('nginx', ['nginx-light'])
  if (isThere()) return
  throw new SetupError('A cluster needs nginx: install nginx-light, or nginx.')
}
