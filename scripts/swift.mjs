// Installs OpenStack Swift with its S3 interface, the object store for the scale suites.
import { existsSync } from 'node:fs'
import { SetupError } from './setup-error.mjs'
import { installPackages } from './system-packages.mjs'

const programs = ['proxy', 'account', 'container', 'object'].map(
  (name) => `/usr/bin/swift-${name}-server`,
)
const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'swift']

/** Throws a SetupError with instructions if Swift can't be installed. */
export async function ensureSwift() {
  const isThere = () => programs.every((program) => existsSync(program))
  if (isThere()) return
  await installPackages('OpenStack Swift', packages)
  if (isThere()) return
  throw new SetupError(
    `The scale suites need OpenStack Swift as Debian packages it: install ${packages.join(', ')}.`,
  )
}
