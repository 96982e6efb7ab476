// Measures two sides in turn (A, B, A, B), so that other load on the machine affects both.
export interface Times {
  median_ms: number
  /** Lower and upper quartile. */
  low_ms: number
  high_ms: number
  runs: number
}

type Run = () => Promise<unknown>

/** High, because JavaScript runs without optimization for about the first hundred requests. */
const maxWarmUps = 200
const minWarmUps = 3
const minRounds = 7
const maxRounds = 200

/** Measures both sides for `budgetMs`, at least seven times each, after a warm-up that takes half as long. */
export async function compare(
  ours: Run,
  peer: Run,
  budgetMs = 2_000,
): Promise<{ ours: Times; peer: Times }> {
  const warm = performance.now() + budgetMs / 2
  for (let i = 0; i < minWarmUps || (performance.now() < warm && i < maxWarmUps); i++) {
    await ours()
    await peer()
  }
  const [oursMs, peerMs]: [number[], number[]] = [[], []]
  const end = performance.now() + budgetMs
  while (oursMs.length < minRounds || (performance.now() < end && oursMs.length < maxRounds)) {
    oursMs.push(await measureMs(ours))
    peerMs.push(await measureMs(peer))
  }
  return { ours: summarize(oursMs), peer: summarize(peerMs) }
}

export async function measureMs(run: Run): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

export function summarize(ms: readonly number[]): Times {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN)
  return { median_ms: at(0.5), low_ms: at(0.25), high_ms: at(0.75), runs: sorted.length }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN)
}

export const round = (value: number) => Math.round(value * 1000) / 1000
