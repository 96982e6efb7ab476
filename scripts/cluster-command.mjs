// `npm run cluster`: Velour over several instances, as real processes on loopback.
import { existsSync } from 'node:fs'
import { ensureWebBuild } from './build-web.mjs'
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'
import { installPackages } from './system-packages.mjs'

export async function run(args) {
  const runtime = await prepareNode()
  await ensureWebBuild(runtime)
  if (!hasNginx()) await installPackages('nginx', ['nginx-light'])
  const warnings = '--disable-warning=ExperimentalWarning'
  const program = [warnings, 'scripts/cluster/main.ts', ...args]
  return runInForeground(runtime.node, program, { env: runtime.env })
}

/** What is missing after this is said by the cluster itself. */
function hasNginx() {
  return ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].some((program) =>
    existsSync(program),
  )
}
