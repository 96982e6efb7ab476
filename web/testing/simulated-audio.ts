// A media element for tests, driven by the test clock instead of a sound device. Like a real one it starts late, plays
// to its end and fires the same events.

export const simulatedLatencyMs = 80

/** Lengths in seconds by URL. Other URLs fail to load. */
export type Files = Record<string, number>

export class SimulatedAudio extends EventTarget {
  readonly #files: Files
  readonly dataset: Record<string, string> = {}
  /** Every start of playback, as `url@seconds`. */
  readonly starts: string[] = []
  preload = ''
  volume = 1
  muted = false
  preservesPitch = false
  defaultPlaybackRate = 1
  playbackRate = 1
  paused = true
  seeking = false
  readyState = 0
  error: { code: number } | null = null
  /**
   * Imitates WebKit: after a seek and at a prepared start it fires `waiting`, keeps `readyState` low and never fires
   * `playing`.
   */
  isLikeWebKit = false
  #src: string | null = null
  #fromSeconds = 0
  #startedAtMs: number | null = null
  #interval: ReturnType<typeof setInterval> | undefined
  #endTimer: ReturnType<typeof setTimeout> | undefined
  #arrival: ReturnType<typeof setTimeout> | undefined

  constructor(files: Files) {
    super()
    this.#files = files
  }

  get src(): string {
    return this.#src ?? ''
  }

  set src(address: string) {
    this.#stop()
    this.#src = address
    this.#fromSeconds = 0
    this.paused = true
    this.error = null
    this.readyState = 0
    clearTimeout(this.#arrival)
    this.#arrival = setTimeout(() => this.#arrive(address), 20)
  }

  get duration(): number {
    return this.readyState > 0 ? (this.#files[this.src] ?? NaN) : NaN
  }

  get currentTime(): number {
    const sinceMs = this.#startedAtMs === null ? 0 : performance.now() - this.#startedAtMs
    const heardMs = Math.max(0, sinceMs - simulatedLatencyMs)
    const seconds = this.#fromSeconds + (heardMs / 1000) * this.playbackRate
    return Number.isNaN(this.duration) ? seconds : Math.min(seconds, this.duration)
  }

  set currentTime(seconds: number) {
    this.#fromSeconds = seconds
    if (this.#startedAtMs !== null) this.#run()
    if (this.isLikeWebKit && !this.paused) this.#waitLikeWebKit()
    this.#dispatch('seeked')
  }

  get ended(): boolean {
    return this.readyState > 0 && this.currentTime >= this.duration
  }

  get buffered() {
    return { length: this.readyState > 0 ? 1 : 0, end: () => this.duration }
  }

  hasAttribute(): boolean {
    return this.#src !== null
  }

  removeAttribute(): void {
    this.#src = null
  }

  load(): void {
    this.#stop()
    clearTimeout(this.#arrival)
    this.paused = true
    this.readyState = 0
  }

  async play(): Promise<void> {
    if (this.error) throw new DOMException('No file.', 'NotSupportedError')
    if (this.ended) this.#fromSeconds = 0
    this.paused = false
    this.#dispatch('play')
    if (this.readyState === 0) return
    this.#run()
    if (this.isLikeWebKit) this.#waitLikeWebKit()
  }

  pause(): void {
    if (this.paused) return
    this.#fromSeconds = this.currentTime
    this.#stop()
    this.paused = true
    this.#dispatch('pause')
  }

  /** Simulates running out of data. If `readyState` is already low, no event fires. */
  stall(): void {
    this.#fromSeconds = this.currentTime
    this.#stop()
    if (this.readyState === 2) return
    this.readyState = 2
    this.#dispatch('waiting')
  }

  #arrive(address: string): void {
    if (this.#files[address] === undefined) {
      this.error = { code: 4 }
      this.#dispatch('error')
      return
    }
    this.readyState = 4
    this.#dispatch('durationchange', 'canplay', 'canplaythrough')
    if (!this.paused) this.#run()
  }

  #run(): void {
    this.#stop()
    this.starts.push(`${this.src}@${this.#fromSeconds}`)
    this.#startedAtMs = performance.now()
    this.#interval = setInterval(() => this.#dispatch('timeupdate'), 250)
    const leftMs = ((this.duration - this.#fromSeconds) / this.playbackRate) * 1000
    this.#endTimer = setTimeout(() => this.#end(), leftMs + simulatedLatencyMs)
    if (!this.isLikeWebKit || this.#fromSeconds === 0) this.#dispatch('playing')
  }

  #waitLikeWebKit(): void {
    this.readyState = 2
    this.#dispatch('waiting')
  }

  #end(): void {
    this.#fromSeconds = this.duration
    this.#stop()
    this.paused = true
    this.#dispatch('timeupdate', 'pause', 'ended')
  }

  #stop(): void {
    clearInterval(this.#interval)
    clearTimeout(this.#endTimer)
    this.#startedAtMs = null
  }

  #dispatch(...names: string[]): void {
    for (const name of names) queueMicrotask(() => this.dispatchEvent(new Event(name)))
  }
}

/** Creates a pair of simulated elements for the engine. */
export function simulatedElements(files: Files) {
  const simulated = [new SimulatedAudio(files), new SimulatedAudio(files)] as const
  const elements = simulated as unknown as readonly [HTMLAudioElement, HTMLAudioElement]
  return { simulated, elements }
}
