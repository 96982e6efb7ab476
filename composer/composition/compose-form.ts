// The song's form: the sequence and lengths of its sections, so that they fill the given duration in whole bars.

import type { Section, SectionName } from './compose-model.ts'

const shapes: readonly (readonly SectionName[])[] = [
  ['intro', 'verse', 'chorus', 'outro'],
  ['intro', 'verse', 'chorus', 'bridge', 'chorus', 'outro'],
  ['intro', 'verse', 'chorus', 'verse', 'chorus', 'bridge', 'chorus', 'outro'],
  ['intro', 'verse', 'verse', 'chorus', 'verse', 'chorus', 'bridge', 'chorus', 'chorus', 'outro'],
  [
    'intro',
    'verse',
    'verse',
    'chorus',
    'verse',
    'verse',
    'chorus',
    'bridge',
    'chorus',
    'chorus',
    'outro',
  ],
]

const energies: Record<SectionName, number> = {
  intro: 0.66,
  verse: 0.72,
  chorus: 0.94,
  bridge: 0.66,
  outro: 0.58,
}

type Plan = { shape: readonly SectionName[]; block: number; score: number; spare: number }

function isEdge(name: SectionName): boolean {
  return name === 'intro' || name === 'bridge' || name === 'outro'
}

/** Verses and choruses have a fixed number of bars. Intro, bridge and outro share the remaining ones. */
function choosePlan(totalBars: number): Plan {
  const plans = shapes.flatMap((shape) =>
    [2, 4, 8, 16].map((block): Plan => {
      const edges = shape.filter(isEdge).length
      const spare = totalBars - (shape.length - edges) * block
      const share = spare / edges
      const fits = share >= 2 && share <= Math.max(block, 4)
      const lean = Math.abs(share - Math.max(3, block * 0.6)) / block
      const taste =
        (shape.includes('bridge') ? 0 : 0.5) +
        (block === 8 ? 0 : block === 4 ? 0.25 : block === 16 ? 0.6 : 3)
      return { shape, block, spare, score: fits ? lean + taste : Infinity }
    }),
  )
  const best = plans.reduce((a, b) => (b.score < a.score ? b : a))
  if (best.score === Infinity) throw new Error(`No song form has ${totalBars} bars`)
  return best
}

/** Distributes `spare` bars in pairs, to the bridge last, so that intro and outro have an even number of bars. */
function shareSpare(plan: Plan): Map<SectionName, number> {
  const edges = (['intro', 'outro', 'bridge'] as const).filter((name) => plan.shape.includes(name))
  const bars = new Map<SectionName, number>(edges.map((name) => [name, 2]))
  let left = plan.spare - edges.length * 2
  for (let turn = 0; left > 0; turn++) {
    const name = edges[turn % edges.length] ?? 'intro'
    const more = Math.min(2, left)
    bars.set(name, (bars.get(name) ?? 0) + more)
    left -= more
  }
  return bars
}

/**
 * Sections for `totalBars` (8 or more, even). A `lift` in semitones raises the last chorus and everything after it if
 * there are two or more choruses.
 */
export function planForm(totalBars: number, beatsPerBar: number, lift: number): Section[] {
  const plan = choosePlan(totalBars)
  const edgeBars = shareSpare(plan)
  const counts = new Map<SectionName, number>()
  const lastChorus = plan.shape.lastIndexOf('chorus')
  const lifts = plan.shape.indexOf('chorus') !== lastChorus
  let startBeat = 0
  return plan.shape.map((name, index) => {
    const occurrence = counts.get(name) ?? 0
    counts.set(name, occurrence + 1)
    const bars = edgeBars.get(name) ?? plan.block
    const section: Section = {
      name,
      startBeat,
      bars,
      occurrence,
      energy: Math.min(1, energies[name] + occurrence * 0.04),
      transpose: lifts && index >= lastChorus ? lift : 0,
    }
    startBeat += bars * beatsPerBar
    return section
  })
}
