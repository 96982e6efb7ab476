// One media element of the two that the engine plays on, as on a DJ's table. Knows how to put a file
// on, where to start, and how loud; knows nothing about queues. Invariant: the element's volume is
// always the product of the listener's volume, the track's gain and the fade.
import { elementVolume } from './output-level.ts'

export interface DeckSource {
  url: string
  /** Where playback begins. */
  startSeconds: number
  /** Levelling of this track, as an amplitude factor. */
  gain: number
}

/**
 * Minus 80 dB instead of silence: Chromium takes a silent element off the sound device, so that it
 * would start later and with a click.
 */
const inaudibleFade = 1e-4

export class Deck {
  readonly element: HTMLAudioElement
  #source: DeckSource | null = null
  #volume = 1
  #fade = 1

  constructor(element: HTMLAudioElement) {
    this.element = element
    element.preservesPitch = true
  }

  get source(): DeckSource | null {
    return this.#source
  }

  /** Seconds into the medium. */
  get positionSeconds(): number {
    return this.element.currentTime
  }

  /** Length of the medium; 0 while it is not known. */
  get durationSeconds(): number {
    const { duration } = this.element
    return Number.isFinite(duration) ? duration : 0
  }

  /** Seconds until the end as the clock on the wall counts them; infinite while not known. */
  get remainingSeconds(): number {
    const { duration, currentTime, playbackRate } = this.element
    return Number.isFinite(duration) ? (duration - currentTime) / playbackRate : Infinity
  }

  /** Stands at its beginning with data for an immediate start. */
  get isReadyToStart(): boolean {
    const { readyState, seeking, paused, error, currentTime } = this.element
    return (
      this.#source !== null &&
      error === null &&
      readyState >= HTMLMediaElement.HAVE_FUTURE_DATA &&
      !seeking &&
      paused &&
      currentTime === 0
    )
  }

  /** True once everything up to the end is here, so that the connection is free for the next track. */
  get isWhollyBuffered(): boolean {
    const { buffered, duration } = this.element
    const last = buffered.length - 1
    return last >= 0 && buffered.end(last) >= duration - 0.5
  }

  /** Puts a file on. `eager`: fetch its sound at once instead of its length only. */
  load(source: DeckSource, eager: boolean): void {
    this.#source = source
    this.#fade = 1
    this.element.preload = eager ? 'auto' : 'metadata'
    this.element.src = source.url
    // Before the metadata are here this sets where the element begins, without a second request.
    if (source.startSeconds > 0) this.element.currentTime = source.startSeconds
    this.#applyVolume()
  }

  /** Takes the file off and gives its connection and memory back. */
  unload(): void {
    this.#source = null
    this.element.pause()
    if (!this.element.hasAttribute('src')) return
    this.element.removeAttribute('src')
    this.element.load()
  }

  play(): Promise<void> {
    this.element.preload = 'auto'
    return this.element.play()
  }

  pause(): void {
    this.element.pause()
  }

  seek(seconds: number): void {
    this.element.currentTime = seconds
  }

  /** The listener's volume, 0–1. */
  setVolume(volume: number): void {
    this.#volume = volume
    this.#applyVolume()
  }

  /** Corrects the levelling of what is on. */
  setGain(gain: number): void {
    if (this.#source) this.#source = { ...this.#source, gain }
    this.#applyVolume()
  }

  /** 0–1, on top of everything else. */
  setFade(fade: number): void {
    this.#fade = Math.max(fade, inaudibleFade)
    this.#applyVolume()
  }

  setRate(playbackRate: number): void {
    // A newly loaded file falls back to the default rate.
    this.element.defaultPlaybackRate = playbackRate
    this.element.playbackRate = playbackRate
  }

  setMuted(muted: boolean): void {
    this.element.muted = muted
  }

  #applyVolume(): void {
    this.element.volume = elementVolume(this.#volume, this.#source?.gain ?? 1, this.#fade)
  }
}

/** False where only the hardware keys set the volume (iOS): no levelling, no fades there. */
export function canSetVolume(element: HTMLAudioElement): boolean {
  const before = element.volume
  element.volume = before > 0.5 ? 0.25 : 0.75
  const isSettable = element.volume !== before
  element.volume = before
  return isSettable
}
