// Lighthouse on the landing page, as a phone. It is no dependency: 176 MB and a hundred packages for one figure are not
// worth their place in every clone. `npm install --no-save lighthouse@13.5.0` puts it there for whoever measures.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchWorld } from './bench-world.ts'
import { percentile } from './measure.ts'
import type { Finding } from './report.ts'

const entry = join(import.meta.dirname, '..', 'node_modules', 'lighthouse', 'cli', 'index.js')
const version = '13.5.0'
const rounds = 3
const goals = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 }

type Category = keyof typeof goals
type Scores = Record<Category, number>

/** Nothing, where Lighthouse is not installed or nothing is written down. */
export async function askLighthouse(world: BenchWorld, chromium: string): Promise<Finding[]> {
  if (world.dataSet === 'smoke') return []
  if (!existsSync(entry)) {
    world.say(`no Lighthouse: npm install --no-save lighthouse@${version}`)
    return []
  }
  const runs: Scores[] = []
  for (let i = 0; i < rounds; i++) runs.push(await run(world.url, chromium))
  return Object.entries(goals).map(([category, least]): Finding => {
    const score = percentile(
      runs.map((scores) => scores[category as Category]),
      0.5,
    )
    return {
      name: `Lighthouse ${version} mobile, landing page: ${category}`,
      goal: `≥ ${least}`,
      value: String(score),
      ok: score >= least,
    }
  })
}

async function run(url: string, chromium: string): Promise<Scores> {
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
        '--chrome-flags=--headless=new --no-sandbox --disable-background-networking --disable-component-update --disable-sync --no-first-run',
      ],
      { env: { ...process.env, CHROME_PATH: chromium, HOME: folder } },
    )
    const report = JSON.parse(await readFile(output, 'utf8')) as {
      categories: Record<Category, { score: number | null }>
    }
    const score = (category: Category) => Math.round((report.categories[category].score ?? 0) * 100)
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
