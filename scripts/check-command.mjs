// `npm run check`: checks types, lint and import boundaries, format, dead code and the deployment files. Runs all
// checks, then reports which failed and which were skipped.
import { prepareNode } from './node-runtime.mjs'
import { formatElapsed } from './progress.mjs'
import { toolEntries } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'

const { knip, oxfmt, oxlint, tsc } = toolEntries

const tool =
  (...args) =>
  ({ node, env }) =>
    runQuietly(node, args, { env })

// Imported lazily, because the linters are packages. In a fresh clone they are installed just before the first check.
const lintDeployment = async () => {
  const deployment = await import('./lint-deployment.mjs')
  return deployment.lintDeployment()
}

const checks = [
  ['types of the server', tool(tsc, '-p', 'tsconfig.server.json', '--pretty')],
  ['types of the web app', tool(tsc, '-p', 'tsconfig.web.json', '--pretty')],
  ['types of the service worker', tool(tsc, '-p', 'tsconfig.worker.json', '--pretty')],
  ['types of the browser journeys and the lab', tool(tsc, '-p', 'tsconfig.e2e.json', '--pretty')],
  ['lint', tool(oxlint, '--type-aware', '--deny-warnings')],
  ['folders', tool('scripts/check-folders.mjs')],
  ['format', tool(oxfmt, '--check')],
  ['dead code', tool(knip)],
  ['deployment files', lintDeployment],
]

export async function run() {
  const runtime = await prepareNode({ withTests: true })
  const failed = []
  for (const [name, look] of checks) {
    const start = performance.now()
    const { exitCode, output, leftOut } = await look(runtime)
    const elapsed = formatElapsed(performance.now() - start)
    const rest = leftOut ? ` · without ${leftOut}` : ''
    console.log(`  ${exitCode === 0 ? '✓' : '✗'} ${name} · ${elapsed}${rest}`)
    if (exitCode === 0) continue
    failed.push(name)
    console.log(`\n${output.trim()}\n`)
  }
  if (failed.length === 0) return 0
  console.error(`\nFailed: ${failed.join(', ')}`)
  return 1
}
