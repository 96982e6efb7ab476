// `npm run bench`: measurements side by side with peers. No part of the tests.
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'

export async function run(args) {
  const { node, env } = await prepareNode()
  const warnings = '--disable-warning=ExperimentalWarning'
  return runInForeground(node, [warnings, 'bench/main.ts', ...args], { env })
}
