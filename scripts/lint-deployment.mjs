// Runs the linter of each deployment file. Skips and reports a linter whose system program is missing. On a build
// server, installs the program first.
import { join } from 'node:path'
import {
  lintComposition,
  lintDockerfile,
  lintKubernetes,
  lintShellScript,
  lintUnit,
} from './deployment-linters.mjs'
import { root } from './project-paths.mjs'
import { installPackages } from './system-packages.mjs'

const linted = [
  { lint: lintDockerfile, files: ['Dockerfile'] },
  { lint: lintComposition, files: ['compose.yaml', 'compose.scale.yaml'] },
  { lint: lintKubernetes, files: ['deploy/kubernetes/velour.yaml'] },
  { lint: lintUnit, files: ['deploy/systemd/velour.service'], needs: 'systemd' },
  {
    lint: lintShellScript,
    files: ['deploy/postgres/primary.sh', 'deploy/postgres/standby.sh', '.ci/run'],
    needs: 'shellcheck',
  },
]

/** Resolves to `{ exitCode, output, leftOut }`. `leftOut` describes what was skipped, or is empty. */
export async function lintDeployment() {
  const findings = []
  const leftOut = []
  for (const { lint, files, needs } of linted) {
    for (const file of files) {
      const found = await lintWherePossible(lint, join(root, file), needs)
      if (found === null) leftOut.push(`${file} (no ${needs} here)`)
      else findings.push(...found)
    }
  }
  return {
    exitCode: findings.length === 0 ? 0 : 1,
    output: findings.join('\n'),
    leftOut: leftOut.join(', '),
  }
}

async function lintWherePossible(lint, file, needs) {
  const found = await lint(file)
  if (found !== null || !process.env.CI) return found
  await installPackages(needs, [needs])
  return lint(file)
}
