// Plays files one after another on two media elements, called decks: the next file is loaded before the current one
// ends and starts gaplessly or with a crossfade. It uses plain elements because sound routed through an AudioContext
// stops when a phone is locked. The engine is independent of the queue. Invariant: at most one deck is active, and only
// the active deck's events are reported.
import { BufferingWatch } from './buffering-watch.ts'
import { startCrossfade, startPlayOut, type Tail } from './crossfade.ts'
import { canSetVolume, Deck, type DeckSource } from './deck.ts'

export interface EngineListener {
  onProgress: (positionSeconds: number, durationSeconds: number) => void
  onBuffering: (isBuffering: boolean) => void
  /** Called when the prepared file starts to play. Then call `prepare` with the file that follows. */
  onHandedOver: () => void
  /** Called when the file ended and no next file was prepared. */
  onEnded: () => void
  onFailed: (error: MediaError | null) => void
  /**
   * Called when the operating system paused or resumed playback, for example because of another app, headphones or a
   * media key.
   */
  onPlayingChanged: (playing: boolean) => void
  /** Called when the browser requires a user gesture before it plays sound. */
  onBlocked: () => void
}

export interface EngineOutput {
  /** From 0 to 1. */
  volume: number
  muted: boolean
  playbackRate: number
  /** Length in seconds; 0 means gapless playback. */
  crossfadeSeconds: number
}

/** The next file is fetched once the current one is fully buffered, or this long before its end. */
const prepareBeforeEndSeconds = 30
/** A prefetched file stays loaded for this long, unless the next file in the queue needs the deck. */
const warmForMs = 8000
/**
 * Latency from play() to sound, measured in Chromium. Starting a little early overlaps two quiet edges; starting late
 * leaves an audible gap.
 */
const startLeadMs = 85
/** A fade shorter than this sounds like a click. */
const shortestFadeSeconds = 0.3

export class AudioEngine {
  #active: Deck
  #standby: Deck
  readonly #listener: EngineListener
  readonly #canFade: boolean
  readonly #buffering: BufferingWatch
  readonly #disposal = new AbortController()
  #wantsPlaying = false
  #upcoming: DeckSource | null = null
  #crossfadeSeconds = 0
  #tail: Tail | null = null
  #planTimer: ReturnType<typeof setTimeout> | undefined
  #warmUntilMs = 0
  /**
   * False once the system has refused to start the second element without a click. From then on, one element plays
   * everything.
   */
  #mayStartStandby = true
  #isUnlocked = false

  constructor(elements: readonly [HTMLAudioElement, HTMLAudioElement], listener: EngineListener) {
    this.#active = new Deck(elements[0])
    this.#standby = new Deck(elements[1])
    this.#listener = listener
    this.#buffering = new BufferingWatch((isBuffering) => listener.onBuffering(isBuffering))
    this.#canFade = canSetVolume(elements[0])
    for (const deck of [this.#active, this.#standby]) this.#listenTo(deck)
    this.#markActive()
  }

  /** Exact current position in the active file, in seconds. */
  get positionSeconds(): number {
    return this.#active.positionSeconds
  }

  /** True if the active file could not be read. */
  get hasFailed(): boolean {
    return this.#active.element.error !== null
  }

  /** Immediately replaces the loaded or playing file with another one. */
  load(source: DeckSource, playing: boolean): void {
    this.#upcoming = null
    this.#settle()
    this.#buffering.end()
    this.#wantsPlaying = playing
    if (this.#mayStartStandby && this.#holds(this.#standby, source)) {
      this.#active.pause()
      this.#swap()
      this.#active.setGain(source.gain)
      if (this.#active.positionSeconds !== source.startSeconds) {
        this.#active.seek(source.startSeconds)
      }
    } else {
      this.#active.load(source, playing)
    }
    if (playing) this.#start()
  }

  /** Stops playback and unloads both files. */
  unload(): void {
    this.#wantsPlaying = false
    this.#upcoming = null
    this.#settle()
    this.#buffering.end()
    this.#active.unload()
    this.#standby.unload()
  }

  play(): void {
    if (this.#wantsPlaying || !this.#active.source) return
    this.#wantsPlaying = true
    this.#start()
  }

  pause(): void {
    this.#wantsPlaying = false
    this.#settle()
    this.#active.pause()
    this.#buffering.end()
  }

  seek(seconds: number): void {
    this.#settle()
    this.#active.seek(seconds)
  }

  /** Sets the file that plays when the current one ends; null if none follows. */
  prepare(source: DeckSource | null): void {
    this.#upcoming = source
    this.#plan()
  }

  /** Prefetches a file that is likely to be requested soon. */
  warmUp(source: DeckSource): void {
    const isNeeded = this.#wantsPlaying && this.#active.remainingSeconds < prepareBeforeEndSeconds
    const isThere = [this.#active, this.#standby].some(({ source: on }) => on?.url === source.url)
    if (isNeeded || isThere || this.#tail) return
    this.#settle()
    this.#standby.load(source, true)
    this.#warmUntilMs = performance.now() + warmForMs
  }

  setOutput({ volume, muted, playbackRate, crossfadeSeconds }: EngineOutput): void {
    for (const deck of [this.#active, this.#standby]) {
      deck.setVolume(volume)
      deck.setMuted(muted)
      deck.setRate(playbackRate)
    }
    this.#crossfadeSeconds = this.#canFade ? crossfadeSeconds : 0
    this.#plan()
  }

  /** Sets the loudness gain of the active file, as an amplitude factor. */
  setGain(gain: number): void {
    this.#active.setGain(gain)
  }

  dispose(): void {
    this.#disposal.abort()
    this.unload()
  }

  #listenTo(deck: Deck): void {
    const { element } = deck
    const on = (names: string, act: () => void) => {
      for (const name of names.split(' ')) {
        element.addEventListener(name, act, { signal: this.#disposal.signal })
      }
    }
    const whenActive = (act: () => void) => () => {
      if (deck === this.#active) act()
    }
    on(
      'timeupdate durationchange seeked',
      whenActive(() => this.#onProgress()),
    )
    on(
      'timeupdate',
      whenActive(() => this.#buffering.onTick(element)),
    )
    on(
      'seeked',
      whenActive(() => this.#buffering.onSeeked(element)),
    )
    on(
      'waiting',
      whenActive(() => {
        if (this.#wantsPlaying) this.#buffering.begin(element)
      }),
    )
    on(
      'playing canplay',
      whenActive(() => this.#buffering.end()),
    )
    on(
      'pause play',
      whenActive(() => this.#onPauseOrPlay()),
    )
    on('playing ratechange canplaythrough seeked', () => this.#plan())
    on('ended', () => this.#onEnded(deck))
    on('error', () => this.#onError(deck))
  }

  #onProgress(): void {
    // With no data loaded, the element's position is meaningless.
    if (this.#active.element.readyState === HTMLMediaElement.HAVE_NOTHING) return
    this.#listener.onProgress(this.#active.positionSeconds, this.#active.durationSeconds)
    this.#plan()
  }

  /** Reports a pause or start of playback that this engine did not cause. */
  #onPauseOrPlay(): void {
    const { paused, ended, error } = this.#active.element
    // The end of a file and an error also pause the element, but have their own events.
    if (ended || error || paused === !this.#wantsPlaying) return
    this.#wantsPlaying = !paused
    if (paused) this.#buffering.end()
    this.#listener.onPlayingChanged(!paused)
  }

  #onEnded(deck: Deck): void {
    if (deck === this.#tail?.deck) return this.#tail.finish()
    if (deck !== this.#active || !this.#wantsPlaying) return
    if (this.#isUpcomingReady()) this.#handOver()
    else this.#listener.onEnded()
  }

  #onError(deck: Deck): void {
    // An element without a file also fires an error event.
    if (!deck.source) return
    if (deck === this.#active) return this.#listener.onFailed(deck.element.error)
    // Ignore the failure: the next file is loaded again when it becomes active, and a failure is reported then.
    deck.unload()
    this.#upcoming = null
  }

  #start(): void {
    this.#unlock()
    const deck = this.#active
    const isReady = deck.element.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA
    if (!isReady) this.#buffering.begin(deck.element)
    deck.play().catch((error: unknown) => {
      // Ignore any other rejection: it comes from a newer request, or from an error that the element reports in its own
      // event.
      const isBlocked = error instanceof DOMException && error.name === 'NotAllowedError'
      if (!isBlocked || deck !== this.#active) return
      this.#wantsPlaying = false
      this.#listener.onBlocked()
    })
  }

  /**
   * iOS lets an element play without a user gesture only if play() or load() was called on it during an earlier one.
   */
  #unlock(): void {
    if (this.#isUnlocked) return
    this.#isUnlocked = true
    if (!this.#standby.source) this.#standby.element.load()
  }

  /** Loads the next file in time and schedules its start. */
  #plan(): void {
    clearTimeout(this.#planTimer)
    if (!this.#wantsPlaying || !this.#upcoming || this.#tail || !this.#mayStartStandby) return
    if (!this.#isUpcomingReady()) return this.#loadUpcoming(this.#upcoming)
    const { seeking, paused } = this.#active.element
    if (seeking || paused) return
    const waitMs = (this.#active.remainingSeconds - this.#fadeSeconds()) * 1000 - startLeadMs
    if (waitMs <= 2) return this.#handOver()
    // A long timer may fire late, so each progress event reschedules it, and the last step is short.
    this.#planTimer = setTimeout(() => this.#plan(), waitMs > 30 ? waitMs - 25 : waitMs - 1)
  }

  #loadUpcoming(upcoming: DeckSource): void {
    const isUrgent = this.#active.remainingSeconds < prepareBeforeEndSeconds
    if (!isUrgent && performance.now() < this.#warmUntilMs) return
    if (this.#holds(this.#standby, upcoming)) {
      const { element } = this.#standby
      if (!element.paused) element.pause()
      if (element.currentTime !== 0 && !element.seeking) this.#standby.seek(0)
    } else if (isUrgent || this.#active.isWhollyBuffered) {
      if (this.#standby.source?.url !== upcoming.url) this.#standby.load(upcoming, true)
    }
  }

  #isUpcomingReady(): boolean {
    const { url } = this.#upcoming ?? {}
    return url !== undefined && this.#standby.source?.url === url && this.#standby.isReadyToStart
  }

  #fadeSeconds(): number {
    const longest = Math.min(this.#active.durationSeconds, this.#standby.durationSeconds) / 2
    const seconds = Math.min(this.#crossfadeSeconds, longest)
    return seconds >= shortestFadeSeconds ? seconds : 0
  }

  #handOver(): void {
    clearTimeout(this.#planTimer)
    const from = this.#active
    const to = this.#standby
    const fadeSeconds = Math.min(this.#fadeSeconds(), from.remainingSeconds)
    to.setGain(this.#upcoming?.gain ?? 1)
    if (fadeSeconds > 0) to.setFade(0)
    to.play().catch(() => this.#startOnSameElement(from, to))
    this.#swap()
    this.#upcoming = null
    const onDone = () => {
      this.#tail = null
      this.#plan()
    }
    this.#tail =
      fadeSeconds > 0 ? startCrossfade(from, to, fadeSeconds, onDone) : startPlayOut(from, onDone)
    this.#listener.onHandedOver()
  }

  /** A locked phone may refuse to start the second element, but allow the one that was playing to continue. */
  #startOnSameElement(from: Deck, to: Deck): void {
    if (to !== this.#active || !to.source || !this.#wantsPlaying) return
    this.#mayStartStandby = false
    this.#tail?.finish()
    this.#swap()
    from.load({ ...to.source, startSeconds: 0 }, true)
    this.#start()
  }

  /** Cancels the overlap with the previous track, and the scheduled start of the next one. */
  #settle(): void {
    clearTimeout(this.#planTimer)
    this.#tail?.finish()
    clearTimeout(this.#planTimer)
  }

  #holds(deck: Deck, source: DeckSource): boolean {
    const { readyState, error } = deck.element
    return (
      deck.source?.url === source.url &&
      error === null &&
      readyState >= HTMLMediaElement.HAVE_CURRENT_DATA
    )
  }

  #swap(): void {
    const before = this.#active
    this.#active = this.#standby
    this.#standby = before
    // Reset the buffering state, which belongs to the previous element.
    this.#buffering.end()
    this.#markActive()
  }

  /** For tests and developer tools: marks which of the two elements is active. */
  #markActive(): void {
    this.#active.element.dataset.active = 'true'
    delete this.#standby.element.dataset.active
  }
}
