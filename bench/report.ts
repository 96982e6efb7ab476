// What a run found: one JSON file per bench and data set, and the page that shows all of them.
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, release, totalmem, type as systemName } from 'node:os'
import { join } from 'node:path'
import type { Times } from './measure.ts'

export interface Finding {
  name: string
  ours: Times
  peer: Times
  peer_is: string
  /** What the goal asks for, in words. */
  goal: string
  /** What the goal is about: a ratio, mostly. */
  value: string
  ok: boolean
}

interface Result {
  bench: string
  data_set: string
  machine: string
  node: string
  date: string
  commit: string
  findings: Finding[]
}

const root = join(import.meta.dirname, '..')
const resultsFolder = join(root, 'bench', 'results')
const pageFile = join(root, 'docs', 'performance.md')

export async function saveResult(bench: string, dataSet: string, findings: Finding[]) {
  const result: Result = {
    bench,
    data_set: dataSet,
    machine: describeMachine(),
    node: process.version,
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: readCommit(),
    findings,
  }
  await mkdir(resultsFolder, { recursive: true })
  const file = join(resultsFolder, `${bench}-${dataSet}.json`)
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`)
}

/** Writes the page anew from all results that are kept. */
export async function writePage(): Promise<void> {
  const names = (await readdir(resultsFolder)).filter((name) => name.endsWith('.json')).toSorted()
  const results = await Promise.all(
    names.map(
      async (name) => JSON.parse(await readFile(join(resultsFolder, name), 'utf8')) as Result,
    ),
  )
  const intro = `# Performance

Written by \`npm run bench\`: do not edit. Every figure is measured beside its floor or its peer, in turns, in one run on
one machine; milliseconds are there to illustrate, what counts is the ratio. Medians, with the quarter of the runs
below and above in brackets.
`
  await writeFile(pageFile, [intro, ...results.map(section)].join('\n'))
}

function section({ bench, data_set, machine, node, date, commit, findings }: Result): string {
  const met = findings.filter(({ ok }) => ok).length
  const rows = findings.map(
    ({ name, ours, peer, value, goal, ok }) =>
      `| ${name} | ${showTimes(ours)} | ${showTimes(peer)} | ${value} | ${goal} | ${ok ? 'met' : '**missed**'} |`,
  )
  return `## ${bench}, ${data_set} data set: ${met} of ${findings.length} goals met

${machine}, Node ${node}, ${date} UTC, commit ${commit}

| what | Velour | ${findings[0]?.peer_is ?? 'peer'} | ratio | goal | |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}

const showTimes = ({ median_ms, low_ms, high_ms }: Times) =>
  `${show(median_ms)} ms (${show(low_ms)}–${show(high_ms)})`

const show = (ms: number) => (ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : ms.toFixed(0))

function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const model = cpus()[0]?.model.trim() || process.arch
  return `${availableParallelism()} cores of ${model}, ${gigabytes} GB, ${systemName()} ${release().split('-')[0]}`
}

function readCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', 'server', 'contract') !== ''
  return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes' : '')
}
