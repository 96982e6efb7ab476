// Simulates a listener without a browser. Reads audio at playback speed, some seconds ahead. If a response breaks off,
// requests the rest, as browsers do. Measures silence in milliseconds.
import { type Agent, get, type IncomingMessage } from 'node:http'

export interface ListenerReport {
  /** Milliseconds of silence after the first sound. */
  silentMs: number
  /** Number of responses that broke off. */
  broken: number
  /** Number of responses that were neither 206 nor a redirect. */
  refused: number
  heardSeconds: number
}

const aheadSeconds = 8
/** Seconds of audio that must be there before playback starts. */
const startSeconds = 0.5
/** How long Chromium waits before it tries again. */
const brokenPauseMs = 25
const refusedPauseMs = 250
const tickMs = 100

export class PacedListener {
  readonly #url: string
  readonly #cookie: string
  readonly #agent: Agent
  readonly #bytesPerSecond: number
  #received = 0
  #total = Infinity
  #silentMs = 0
  #broken = 0
  #refused = 0
  /** When playback started, plus all silences since then. Null before the first sound. */
  #soundsSince: number | null = null
  #answer: IncomingMessage | null = null
  #isStopped = false
  readonly #ticking: ReturnType<typeof setInterval>

  constructor(options: { url: string; cookie: string; agent: Agent; bytesPerSecond: number }) {
    this.#url = options.url
    this.#cookie = options.cookie
    this.#agent = options.agent
    this.#bytesPerSecond = options.bytesPerSecond
    this.#request(this.#url)
    this.#ticking = setInterval(() => {
      if (this.#wantsMore()) this.#answer?.resume()
    }, tickMs)
  }

  stop(): ListenerReport {
    this.#isStopped = true
    clearInterval(this.#ticking)
    this.#countSilence()
    this.#answer?.destroy()
    return {
      silentMs: Math.round(this.#silentMs),
      broken: this.#broken,
      refused: this.#refused,
      heardSeconds: this.#heardBytes() / this.#bytesPerSecond,
    }
  }

  #request(url: string): void {
    if (this.#isStopped) return
    const own = url === this.#url
    const headers = { range: `bytes=${this.#received}-`, ...(own && { cookie: this.#cookie }) }
    const request = get(url, { agent: this.#agent, headers }, (answer) => {
      const { statusCode = 0, headers: given } = answer
      if (statusCode === 302 && given.location) {
        answer.resume()
        return this.#request(given.location)
      }
      if (statusCode !== 206) {
        answer.resume()
        this.#refused += 1
        return this.#askAgain(refusedPauseMs)
      }
      this.#total = Number(given['content-range']?.split('/')[1])
      this.#take(answer)
    })
    request.on('error', () => {
      if (this.#answer) return
      this.#broken += 1
      this.#askAgain(refusedPauseMs)
    })
  }

  #take(answer: IncomingMessage): void {
    this.#answer = answer
    answer.on('data', (bytes: Buffer) => {
      this.#countSilence()
      this.#received += bytes.length
      if (this.#soundsSince === null && this.#received > startSeconds * this.#bytesPerSecond) {
        this.#soundsSince = performance.now()
      }
      if (!this.#wantsMore()) answer.pause()
    })
    // Ignore errors here, because 'close' follows each of them.
    answer.on('error', () => {})
    answer.on('close', () => {
      this.#answer = null
      if (this.#isStopped || this.#received >= this.#total) return
      this.#broken += 1
      this.#askAgain(brokenPauseMs)
    })
  }

  #askAgain(pauseMs: number): void {
    if (!this.#isStopped) setTimeout(() => this.#request(this.#url), pauseMs)
  }

  #heardBytes(): number {
    if (this.#soundsSince === null) return 0
    const bytes = ((performance.now() - this.#soundsSince) / 1000) * this.#bytesPerSecond
    return Math.min(bytes, this.#total)
  }

  /** Counts audio that is due but hasn't arrived as silence, which delays everything after it. */
  #countSilence(): void {
    if (this.#soundsSince === null) return
    const missing = this.#heardBytes() - this.#received
    if (missing <= 0) return
    const silentMs = (missing / this.#bytesPerSecond) * 1000
    this.#silentMs += silentMs
    this.#soundsSince += silentMs
  }

  #wantsMore(): boolean {
    return this.#received < this.#heardBytes() + aheadSeconds * this.#bytesPerSecond
  }
}
