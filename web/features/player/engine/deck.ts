// One of the two media elements that the engine plays on. It loads a file and sets its start and loudness. It is
// independent of the queue. Invariant: the element's volume is always the product of the user's volume, the track's
// gain and the fade.
import { elementVolume } from './output-level.ts'

export interface DeckSource {
  url: string
  /** Position in seconds at which playback starts. */
  startSeconds: number
  /** Loudness gain of this track, as an amplitude factor. */
  gain: number
}

/**
 * Minus 80 dB instead of silence: Chromium detaches a silent element from the audio device, and its sound would then
 * start later and with a click.
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

  /** Position in the file in seconds. */
  get positionSeconds(): number {
    return this.element.currentTime
  }

  /** Length of the file in seconds; 0 while unknown. */
  get durationSeconds(): number {
    const { duration } = this.element
    return Number.isFinite(duration) ? duration : 0
  }

  /** Wall-clock seconds until the end at the current speed; infinite while unknown. */
  get remainingSeconds(): number {
    const { duration, currentTime, playbackRate } = this.element
    return Number.isFinite(duration) ? (duration - currentTime) / playbackRate : Infinity
  }

  /** True when the element is at its start position with enough data to play immediately. */
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

  /** True once everything up to the end is buffered, so that the connection is free for the next track. */
  get isWhollyBuffered(): boolean {
    const { buffered, duration } = this.element
    const last = buffered.length - 1
    return last >= 0 && buffered.end(last) >= duration - 0.5
  }

  /** Loads a file. `eager`: fetch the audio immediately instead of only the metadata. */
  load(source: DeckSource, eager: boolean): void {
    this.#source = source
    this.#fade = 1
    this.element.preload = eager ? 'auto' : 'metadata'
    this.element.src = source.url
    // Before the metadata is loaded, this sets the start position without a second request.
    if (source.startSeconds > 0) this.element.currentTime = source.startSeconds
    this.#applyVolume()
  }

  /** Unloads the file and frees its connection and memory. */
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

  /** The user's volume, 0–1. */
  setVolume(volume: number): void {
    this.#volume = volume
    this.#applyVolume()
  }

  /** Updates the gain of the loaded file. */
  setGain(gain: number): void {
    if (this.#source) this.#source = { ...this.#source, gain }
    this.#applyVolume()
  }

  /** The fade, from 0 to 1, which is multiplied with volume and gain. */
  setFade(fade: number): void {
    this.#fade = Math.max(fade, inaudibleFade)
    this.#applyVolume()
  }

  setRate(playbackRate: number): void {
    // Set the default rate as well: a newly loaded file starts with it.
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

/** Returns false where only the hardware keys set the volume (iOS). Leveling and fades don't work there. */
export function canSetVolume(element: HTMLAudioElement): boolean {
  const before = element.volume
  element.volume = before > 0.5 ? 0.25 : 0.75
  const isSettable = element.volume !== before
  element.volume = before
  return isSettable
}
