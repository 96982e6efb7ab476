// Tests each linter with a copy of a real file, unchanged and with one mistake.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  lintComposition,
  lintDockerfile,
  lintKubernetes,
  lintShellScript,
  lintUnit,
} from './deployment-linters.mjs'
import { root } from './project-paths.mjs'

const folder = mkdtempSync(join(tmpdir(), 'velour-linters-'))
afterAll(() => rmSync(folder, { recursive: true }))

function writeMistake(file, right, wrong) {
  const text = readFileSync(join(root, file), 'utf8')
  expect(text).toContain(right)
  const copy = join(folder, basename(file))
  writeFileSync(copy, text.replace(right, wrong))
  return copy
}

const kubernetes = 'deploy/kubernetes/velour.yaml'
const mistakes = [
  ['Dockerfile', 'STOPSIGNAL SIGTERM', 'STOPSINGAL SIGTERM', lintDockerfile, /STOPSINGAL/],
  ['compose.yaml', 'cap_drop:', 'cap_drops:', lintComposition, /services.velour.*additional/],
  ['compose.scale.yaml', 'image: nginx:1.28', 'image: nginx', lintComposition, /nginx/],
  [kubernetes, 'readinessProbe:', 'readinesProbe:', lintKubernetes, /readinesProbe/],
  [kubernetes, 'replicas: 3', "replicas: '3'", lintKubernetes, /string/],
]

test.each(mistakes)(
  '%s: accepts "%s", and reports "%s"',
  async (file, right, wrong, lint, finding) => {
    expect(await lint(join(root, file))).toEqual([])
    expect(String(await lint(writeMistake(file, right, wrong)))).toMatch(finding)
  },
)

const unit = 'deploy/systemd/velour.service'
const script = 'deploy/postgres/primary.sh'
const mistakesForPrograms = [
  [unit, 'Restart=on-failure', 'Restrat=on-failure', lintUnit, /Restrat/],
  [script, '"$PGDATA/pg_hba.conf"', '$PGDATA/pg_hba.conf', lintShellScript, /quote/],
]

test.each(mistakesForPrograms)(
  '%s: accepts "%s", and reports "%s" where the program is installed',
  async (file, right, wrong, lint, finding) => {
    const found = await lint(writeMistake(file, right, wrong))
    expect(found === null || finding.test(String(found))).toBe(true)
  },
)
