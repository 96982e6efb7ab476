// `npm test`: runs all suites that run by default, including the tests in a real browser. `npm test -- FILTER` runs a
// part. The scale, fault and load suites (`npm run test:scale`, `test:faults`, `test:load`) run only when named: they
// take longer, and the first two need a real object store.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureWebBuild } from './build-web.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensureFfmpeg } from './ffmpeg-choice.mjs'
import { ensureNginx } from './nginx.mjs'
import { prepareNode } from './node-runtime.mjs'
import { ensureEngines } from './engines.mjs'
import { ensureGoProgram } from './go-programs.mjs'
import { ensurePythonClients } from './python-clients.mjs'
import { ensurePostgresServer } from './postgres-server.mjs'
import { root, toolEntries } from './project-paths.mjs'
import { runInForeground } from './run-process.mjs'
import { ensureSwift } from './swift.mjs'
import { addCounts, formatSummary } from './test-counts.mjs'

const suites = [
  ['--project', 'server', '--project', 'web'],
  ['--project', 'e2e'],
  ['--project', 'e2e-alone'],
]

export async function run(args) {
  const runtime = await prepareNode({ withTests: true })
  console.log(`  ffmpeg: ${await ensureFfmpeg(runtime.env)}`)
  const env = { ...runtime.env, CHROMIUM_PATH: await ensureChromium(runtime) }
  console.log(`  browser: ${env.CHROMIUM_PATH}`)
  if (args.includes('scale') || args.includes('faults')) {
    await ensureSwift()
    await ensureNginx()
  }
  if (args.includes('scale')) await ensurePostgresServer()
  if (args.includes('engines')) await ensureEngines()
  if (args.includes('clients')) {
    env.PYTHON_CLIENTS = await ensurePythonClients()
    env.GO_SUBSONIC_WALK = await ensureGoProgram('go-subsonic-walk')
  }
  if (args.includes('stripe-mock')) env.STRIPE_MOCK = await ensureGoProgram('stripe-mock')
  await ensureWebBuild(runtime)
  const results = []
  for (const suite of args.length > 0 ? [args] : suites) {
    results.push(await runSuite(runtime.node, suite, env))
  }
  const counts = results.map((result) => result.counts).reduce(addCounts)
  console.log(`\n${formatSummary(counts)}`)
  return results.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0
}

async function runSuite(node, suite, env) {
  const folder = mkdtempSync(join(tmpdir(), 'velour-counts-'))
  const countsFile = join(folder, 'counts.json')
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'test-counts.mjs')}`]
  const exitCode = await runInForeground(
    node,
    [toolEntries.vitest, 'run', ...suite, ...reporters],
    {
      env: { ...env, VELOUR_TEST_COUNTS: countsFile },
    },
  )
  const counts = readCounts(countsFile)
  rmSync(folder, { recursive: true })
  return { exitCode, counts }
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const failures = ['the run crashed before it wrote its results']
    return { passed: 0, skipped: 0, failures }
  }
}
