// Selects the highest scores of many.

/** The highest scores seen so far: a binary heap with the lowest of them on top. */
export class BestOf {
  private readonly scores: number[] = []
  private readonly rows: number[] = []
  private readonly signals: number[] = []
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  /** A score must exceed it to be kept. Unrelated tracks have score 0. */
  get lowest(): number {
    return this.scores.length < this.most ? 0 : this.scores[0]!
  }

  add(score: number, row: number, signal: number): void {
    if (this.scores.length < this.most) {
      this.scores.push(score)
      this.rows.push(row)
      this.signals.push(signal)
      this.rise(this.scores.length - 1)
      return
    }
    this.scores[0] = score
    this.rows[0] = row
    this.signals[0] = signal
    this.sink()
  }

  sorted(): { row: number; score: number; signal: number }[] {
    return this.scores
      .map((score, i) => ({ score, row: this.rows[i]!, signal: this.signals[i]! }))
      .toSorted((a, b) => b.score - a.score || a.row - b.row)
  }

  private rise(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.scores[parent]! <= this.scores[at]!) return
      this.swap(parent, at)
      at = parent
    }
  }

  private sink(): void {
    const { scores } = this
    let at = 0
    for (;;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < scores.length && scores[child]! < scores[least]!) least = child
      }
      if (least === at) return
      this.swap(least, at)
      at = least
    }
  }

  private swap(a: number, b: number): void {
    for (const list of [this.scores, this.rows, this.signals]) {
      const value = list[a]!
      list[a] = list[b]!
      list[b] = value
    }
  }
}
