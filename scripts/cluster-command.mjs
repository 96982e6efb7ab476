// `npm run cluster`: starts several instances of Velour as separate processes on this machine, with a proxy in front.
import { ensureWebBuild } from './build-web.mjs'
import { ensureNginx } from './nginx.mjs'
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'

export async function run(args) {
  const runtime = await prepareNode({ withTests: true })
  await ensureNginx()
  await ensureWebBuild(runtime)
  const warnings = '--disable-warning=ExperimentalWarning'
  const program = [warnings, 'lab/cluster/main.ts', ...args]
  return runInForeground(runtime.node, program, { env: runtime.env })
}
