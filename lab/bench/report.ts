// Saves the results: one JSON file per benchmark and data set, and a page with all of them.
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, release, totalmem, type as systemName } from 'node:os'
import { join } from 'node:path'
import { type Curve, drawCurve } from './curve.ts'
import type { Times } from '../harness/measure.ts'

export interface Finding {
  name: string
  /** Missing if the result is not a duration. */
  ours?: Times
  peer?: Times
  peer_is?: string
  /** The goal as text. 'none' if the result is only for comparison. */
  goal: string
  /** The result that the goal refers to, usually a ratio. */
  value: string
  ok: boolean
  /** Chart of growth. */
  curve?: Curve
}

/** A result that this machine can't measure, with the reason. It has no goal. */
export function createUnmeasuredFinding(name: string, why: string): Finding {
  return { name, goal: 'none', value: `not measured: ${why}`, ok: true }
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

const root = join(import.meta.dirname, '..', '..')
const resultsFolder = join(root, 'lab', 'bench', 'results')
const notesFolder = join(root, 'lab', 'bench', 'notes')
const picturesFolder = join(root, 'lab', 'images')
const pageFile = join(root, 'lab', 'notebook.md')

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

/** Regenerates the page from all saved results. */
export async function writePage(): Promise<void> {
  const names = (await readdir(resultsFolder)).filter((name) => name.endsWith('.json')).toSorted()
  const files = await Promise.all(
    names.map(
      async (name) =>
        JSON.parse(await readFile(join(resultsFolder, name), 'utf8')) as Partial<Result>,
    ),
  )
  const results = files.filter((file): file is Result => file.findings !== undefined)
  const intro = `# Notebook of the benchmarks

Written by \`npm run bench\`: do not edit. Every figure is measured beside its floor or its peer, in turns, in one run on
one machine; milliseconds are there to illustrate, what counts is the ratio. Medians, with the quarter of the runs
below and above in brackets. What the figures say, and why a goal is missed where it is, stands below them.
`
  await rm(picturesFolder, { recursive: true, force: true })
  const sections: string[] = []
  for (const result of results) sections.push(await section(result))
  await writeFile(pageFile, [intro, ...sections].join('\n'))
}

async function section(result: Result): Promise<string> {
  const { bench, data_set, machine, node, date, commit, findings } = result
  const rows = findings.map(
    ({ name, ours, peer, peer_is, value, goal, ok }) =>
      `| ${name} | ${showTimes(ours)} | ${showTimes(peer)}${peer_is ? ` ${peer_is}` : ''} | ${value} | ${goal} | ${goal === 'none' ? '' : ok ? 'met' : '**missed**'} |`,
  )
  const pictures: string[] = []
  for (const { name, curve } of findings) {
    if (curve) pictures.push(await writePicture(`${bench}-${data_set}-${slug(name)}`, name, curve))
  }
  const notes = await readNotes(bench)
  return `## ${bench}, ${data_set} data set: ${countMet(findings)}

${machine}, Node ${node}, ${date} UTC, commit ${commit}

| what | Velour | peer | ratio | goal | |
|---|---|---|---|---|---|
${[rows.join('\n'), ...pictures, notes].filter(Boolean).join('\n\n')}
`
}

export function countMet(findings: readonly Finding[]): string {
  const goals = findings.filter(({ goal }) => goal !== 'none')
  return `${goals.filter(({ ok }) => ok).length} of ${goals.length} goals met`
}

/** Writes the SVG as a separate file, because Markdown renderers remove inline SVG. */
async function writePicture(file: string, name: string, curve: Curve): Promise<string> {
  await mkdir(picturesFolder, { recursive: true })
  await writeFile(join(picturesFolder, `${file}.svg`), drawCurve(curve))
  return `![${name}](images/${file}.svg)`
}

const slug = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Reads the hand-written notes about the results. */
async function readNotes(bench: string): Promise<string> {
  try {
    return (await readFile(join(notesFolder, `${bench}.md`), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

const showTimes = (times?: Times) =>
  times ? `${show(times.median_ms)} ms (${show(times.low_ms)}–${show(times.high_ms)})` : ''

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
