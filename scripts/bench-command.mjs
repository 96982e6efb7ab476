// `npm run bench`: measures Velour and comparable servers side by side. `npm test` only checks that the command runs.
import { ensureWebBuild } from './build-web.mjs'
import { ensureChromium } from './chromium.mjs'
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'

export async function run(args) {
  const runtime = await prepareNode({ withTests: true })
  const env = { ...runtime.env, CHROMIUM_PATH: await ensureChromium(runtime) }
  await ensureWebBuild(runtime)
  const warnings = '--disable-warning=ExperimentalWarning'
  return runInForeground(runtime.node, [warnings, 'lab/bench/main.ts', ...args], { env })
}
