// Runs Lighthouse with the settings of a phone. It is not a dependency, because it adds 176 MB and a hundred packages
// to every clone. To run it, install it in a folder of its own.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchWorld } from './world/bench-world.ts'
import { percentile } from '../harness/measure.ts'
import { type Finding, createUnmeasuredFinding } from './report.ts'

const version = '13.5.0'
const rounds = 5
/** Lighthouse sometimes aborts, and then has to run again. */
const maxAbortedRuns = 3
export const fullGoals = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 }

type Category = keyof typeof fullGoals
type Scores = Record<Category, number>

interface Report {
  scores: Scores
  /** Audits that failed, such as `performance: unused-javascript`. */
  remarks: string[]
}

export interface ScoredPage {
  name: string
  path: string
  /** Session cookie. Undefined to visit the page signed out. */
  cookie?: string
  goals: Partial<typeof fullGoals>
}

/** Runs Lighthouse on pages. Skipped in a smoke run, which saves no results. */
export async function runLighthouse(
  world: BenchWorld,
  pages: readonly ScoredPage[],
): Promise<Finding[]> {
  if (world.dataSet === 'smoke') return []
  const entry = findLighthouse()
  if (!entry) {
    world.print('Lighthouse is not installed, so its scores stay out of this run. To have them:')
    world.print(`  npm install --prefix /tmp/lighthouse lighthouse@${version}`)
    world.print('  LIGHTHOUSE_FOLDER=/tmp/lighthouse npm run bench -- first-load')
    return [createUnmeasuredFinding(`Lighthouse ${version} mobile`, 'Lighthouse is not installed')]
  }
  const findings: Finding[] = []
  for (const page of pages) {
    findings.push(...judge(page, await collect(world, entry, page)))
  }
  return findings
}

async function collect(
  world: BenchWorld,
  entry: string,
  { name, path, cookie }: ScoredPage,
): Promise<Report[]> {
  const reports: Report[] = []
  let brokenOff = 0
  while (reports.length < rounds) {
    try {
      reports.push(await run(entry, { url: world.url + path, cookie }))
    } catch (error) {
      if (++brokenOff > maxAbortedRuns) throw error
      world.print(`Lighthouse, ${name}: broke off, and is run again`)
    }
  }
  for (const remark of new Set(reports.flatMap(({ remarks }) => remarks))) {
    world.print(`Lighthouse, ${name}: ${remark}`)
  }
  return reports
}

function findLighthouse(): string | null {
  const { LIGHTHOUSE_FOLDER: folder } = process.env
  if (!folder) return null
  const entry = join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js')
  return existsSync(entry) ? entry : null
}

function judge({ name, goals }: ScoredPage, reports: readonly Report[]): Finding[] {
  return (Object.keys(fullGoals) as Category[]).map((category) => {
    const scores = reports.map((report) => report.scores[category])
    const median = percentile(scores, 0.5)
    const least = goals[category]
    return {
      name: `Lighthouse ${version} mobile, ${name}: ${category}`,
      goal: least === undefined ? 'none' : `≥ ${least}`,
      value: `${median} (${Math.min(...scores)}–${Math.max(...scores)} in ${rounds} runs)`,
      ok: least === undefined || median >= least,
    }
  })
}

async function run(
  entry: string,
  { url, cookie }: { url: string; cookie: string | undefined },
): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-lighthouse-'))
  const output = join(folder, 'report.json')
  try {
    await promisify(execFile)(
      process.execPath,
      [
        entry,
        url,
        '--quiet',
        '--output=json',
        `--output-path=${output}`,
        ...(cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
        '--chrome-flags=--headless=new --no-sandbox --disable-background-networking --disable-component-update --disable-sync --no-first-run',
      ],
      { env: { ...process.env, CHROME_PATH: process.env['CHROMIUM_PATH'], HOME: folder } },
    )
    return summarize(JSON.parse(await readFile(output, 'utf8')) as RawReport)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface RawReport {
  categories: Record<
    Category,
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >
  audits: Record<string, { score: number | null }>
}

function summarize({ categories, audits }: RawReport): Report {
  const score = (category: Category) => Math.round((categories[category].score ?? 0) * 100)
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    remarks: (Object.keys(fullGoals) as Category[]).flatMap((category) =>
      categories[category].auditRefs
        .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `${category}: ${id}`),
    ),
  }
}
