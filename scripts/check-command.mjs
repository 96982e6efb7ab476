// `npm run check`: types, lint and import walls, format, dead code. Runs all, says which failed.
import { prepareNode } from './node-runtime.mjs'
import { formatElapsed } from './progress.mjs'
import { toolEntries } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'

const { knip, oxfmt, oxlint, tsc } = toolEntries

const checks = [
  ['types of the server', [tsc, '-p', 'tsconfig.server.json', '--pretty']],
  ['types of the web app', [tsc, '-p', 'tsconfig.web.json', '--pretty']],
  ['types of the service worker', [tsc, '-p', 'tsconfig.worker.json', '--pretty']],
  ['types of the browser journeys', [tsc, '-p', 'tsconfig.e2e.json', '--pretty']],
  ['lint', [oxlint, '--type-aware', '--deny-warnings']],
  ['format', [oxfmt, '--check']],
  ['dead code', [knip]],
]

export async function run() {
  const { node, env } = await prepareNode()
  const failed = []
  for (const [name, args] of checks) {
    const start = performance.now()
    const { exitCode, output } = await runQuietly(node, args, { env })
    const elapsed = formatElapsed(performance.now() - start)
    console.log(`  ${exitCode === 0 ? '✓' : '✗'} ${name} · ${elapsed}`)
    if (exitCode === 0) continue
    failed.push(name)
    console.log(`\n${output.trim()}\n`)
  }
  if (failed.length === 0) return 0
  console.error(`\nFailed: ${failed.join(', ')}`)
  return 1
}
