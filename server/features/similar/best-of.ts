// Collects the highest of many scores.

export interface BestOf {
  /**
   * The score that a new one must exceed to be kept: 0 until `maxCount` scores are kept, then the lowest of them.
   * Unrelated tracks have score 0.
   */
  readonly lowest: number
  add: (score: number, row: number, signal: number) => void
  sorted: () => { row: number; score: number; signal: number }[]
}

/** Keeps the `maxCount` highest scores in a binary heap with the lowest on top. */
export function createBestOf(maxCount: number): BestOf {
  const scores: number[] = []
  const rows: number[] = []
  const signals: number[] = []

  function swap(a: number, b: number): void {
    for (const list of [scores, rows, signals]) {
      const value = list[a]!
      list[a] = list[b]!
      list[b] = value
    }
  }

  function rise(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (scores[parent]! <= scores[at]!) return
      swap(parent, at)
      at = parent
    }
  }

  function sink(): void {
    let at = 0
    for (;;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < scores.length && scores[child]! < scores[least]!) least = child
      }
      if (least === at) return
      swap(least, at)
      at = least
    }
  }

  return {
    get lowest() {
      return scores.length < maxCount ? 0 : scores[0]!
    },
    add(score, row, signal) {
      if (scores.length < maxCount) {
        scores.push(score)
        rows.push(row)
        signals.push(signal)
        rise(scores.length - 1)
        return
      }
      scores[0] = score
      rows[0] = row
      signals[0] = signal
      sink()
    },
    sorted: () =>
      scores
        .map((score, i) => ({ score, row: rows[i]!, signal: signals[i]! }))
        .toSorted((a, b) => b.score - a.score || a.row - b.row),
  }
}
