import { ensureWebBuild } from './build-web.mjs'
import { prepareNode } from './node-runtime.mjs'

export async function run() {
  await ensureWebBuild(await prepareNode())
  return 0
}
