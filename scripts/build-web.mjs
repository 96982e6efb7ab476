// Builds the web app into dist/ when its sources differ from those of the last build.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeFingerprint, readStamp } from './fingerprint.mjs'
import { step } from './progress.mjs'
import { distFolder, root, toolEntries } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'
import { SetupError } from './setup-error.mjs'

const sources = [
  'web',
  'contract',
  'vite.config.ts',
  'vite.before-start.ts',
  'vite.breakpoints.ts',
  'vite.chunks.ts',
  'vite.contract.ts',
  'vite.first-screen.ts',
  'vite.icons.ts',
  'vite.landing.ts',
  'vite.mixins.ts',
  'vite.public-pages.ts',
  'tsconfig.base.json',
  'tsconfig.web.json',
  'tsconfig.worker.json',
  'package-lock.json',
]
// The file is in dist/, which every build empties. So an aborted build leaves no record of the sources, and is
// repeated.
const stampFile = join(distFolder, '.built-from')

export async function ensureWebBuild(runtime) {
  const wanted = computeFingerprint(root, sources, isTestFile)
  if (readStamp(stampFile) === wanted && existsSync(join(distFolder, 'index.html'))) return
  await step('Building the web app', () => build(runtime))
  recordCommit()
  writeFileSync(stampFile, `${wanted}\n`)
}

/** Records the commit, for copies of this folder without .git. The server reads .git first. */
function recordCommit() {
  if (!existsSync(join(root, '.git'))) return
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) writeFileSync(join(distFolder, '.commit'), stdout)
}

export function isTestFile(name) {
  return /\.test\.tsx?$/.test(name)
}

async function build({ node, env }) {
  const args = [toolEntries.vite, 'build', '--logLevel', 'warn']
  const { exitCode, output } = await runQuietly(node, args, { env })
  if (exitCode !== 0) throw new SetupError(`Building the web app failed:\n\n${output.trim()}`)
}
