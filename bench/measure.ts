// Two sides measured in turns, A B A B, so that whatever else the machine does meets both.
export interface Times {
  median_ms: number
  /** The quarter below and above which lie the fastest and the slowest runs. */
  low_ms: number
  high_ms: number
  runs: number
}

type Run = () => Promise<unknown>

/** A server that has just started runs its code uncompiled for the first hundred times. */
const mostWarmUps = 200
const fewestWarmUps = 3
const fewestRounds = 7
const mostRounds = 200

/** Rounds until `budgetMs` is spent, but never fewer than seven; before them, half as long to warm up. */
export async function compare(
  ours: Run,
  peer: Run,
  budgetMs = 2_000,
): Promise<{ ours: Times; peer: Times }> {
  const warm = performance.now() + budgetMs / 2
  for (let i = 0; i < fewestWarmUps || (performance.now() < warm && i < mostWarmUps); i++) {
    await ours()
    await peer()
  }
  const [oursMs, peerMs]: [number[], number[]] = [[], []]
  const end = performance.now() + budgetMs
  while (oursMs.length < fewestRounds || (performance.now() < end && oursMs.length < mostRounds)) {
    oursMs.push(await timeMs(ours))
    peerMs.push(await timeMs(peer))
  }
  return { ours: summarise(oursMs), peer: summarise(peerMs) }
}

export async function timeMs(run: Run): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

export function summarise(ms: readonly number[]): Times {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN)
  return { median_ms: at(0.5), low_ms: at(0.25), high_ms: at(0.75), runs: sorted.length }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN)
}

export const round = (value: number) => Math.round(value * 1000) / 1000
