// `npm run lab -- lab/capacity/similar-tracks.ts 20000`: runs one program of the lab with the same Node as the
// server.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureWebBuild } from './build-web.mjs'
import { prepareNode } from './node-runtime.mjs'
import { root } from './project-paths.mjs'
import { runInForeground } from './run-process.mjs'
import { SetupError } from './setup-error.mjs'

export async function run([program = '', ...args]) {
  if (!/^lab\/[\w/-]+\.ts$/.test(program) || !existsSync(join(root, program))) {
    throw new SetupError(
      'Usage: npm run lab -- lab/FOLDER/PROGRAM.ts [arguments]; see lab/README.md',
    )
  }
  const runtime = await prepareNode({ withTests: true })
  await ensureWebBuild(runtime)
  const warnings = '--disable-warning=ExperimentalWarning'
  return runInForeground(runtime.node, [warnings, program, ...args], { env: runtime.env })
}
