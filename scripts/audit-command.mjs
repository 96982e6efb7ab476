// `npm run audit`: checks the lock file (offline), then queries the registry for vulnerabilities in the production
// dependencies. Exit codes: 0 no problem; 1 problem found; 2 the registry did not answer, so nothing is known.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLockProblems } from './lock-file.mjs'
import { root } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'

export async function run() {
  const problems = findLockProblems(readJson(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  for (const problem of problems) console.error(`  ✗ ${problem}`)
  if (problems.length > 0) return 1
  console.log('  ✓ lock file: every package has a hash and an allowed license')

  const { summary, exitCode } = evaluateAudit(await queryRegistry())
  console.log(`  ${exitCode === 0 ? '✓' : '✗'} ${summary}`)
  return exitCode
}

async function queryRegistry() {
  const args = [
    'audit',
    '--workspaces=false',
    '--json',
    '--omit=dev',
    '--audit-level=high',
    '--loglevel=silent',
  ]
  const npm = process.env.npm_execpath
  const { output } = npm?.endsWith('.js')
    ? await runQuietly(process.execPath, [npm, ...args])
    : await runQuietly('npm', args)
  // npm may print warnings about its settings before the JSON.
  return readJson(output.slice(Math.max(0, output.indexOf('{'))))
}

/** Turns npm's report into an exit code and a summary. `report` is null if npm printed no JSON. */
export function evaluateAudit(report) {
  const counts = report?.metadata?.vulnerabilities
  if (!counts) {
    const reason = report?.message ?? report?.error?.summary ?? 'no answer'
    return {
      exitCode: 2,
      summary: `NOT CHECKED for known vulnerabilities: the registry gave no result (${reason}).`,
    }
  }
  const serious = counts.high + counts.critical
  if (serious === 0)
    return { exitCode: 0, summary: 'no known serious vulnerabilities in the production packages' }
  const names = Object.entries(report.vulnerabilities ?? {})
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name]) => name)
  return { exitCode: 1, summary: `known serious vulnerabilities in: ${names.join(', ')}` }
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
