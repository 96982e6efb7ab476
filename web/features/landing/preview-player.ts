// The preview player of the landing page for visitors: one plain audio element and the selected preview. It is outside
// React, because it plays before the app is loaded and continues when the app hydrates. For members the app's player
// replaces it (member-stage.ts).
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'

export interface PreviewState {
  /** Index of the selected track; initially the first. */
  index: number
  /** `waiting`: the user pressed play, and there is no sound yet. */
  sound: 'paused' | 'waiting' | 'playing' | 'failed'
  elapsedSeconds: number
}

/** The player behind the hero's controls. */
export interface StagePlayer {
  /** Used in button labels: 'Play preview'. */
  noun: 'preview' | 'track'
  read: () => PreviewState
  /** Returns the exact position in seconds, for rendering on every frame. */
  readSeconds: () => number
  lengthSeconds: (track: ShowcaseTrack) => number
  isSounding: () => boolean
  /** Calls the listener on every change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void
  setTracks: (tracks: readonly ShowcaseTrack[]) => void
  /** Plays the track, or pauses it if it is playing. */
  toggle: (index: number) => void
  /** Selects another track. If a track is playing, the selected one plays instead. */
  pick: (index: number) => void
  seek: (seconds: number) => void
}

export const initialPreview: PreviewState = { index: 0, sound: 'paused', elapsedSeconds: 0 }

class PreviewPlayer implements StagePlayer {
  readonly noun = 'preview'
  #tracks: readonly ShowcaseTrack[] = []
  #state = initialPreview
  #audio: HTMLAudioElement | undefined
  readonly #listeners = new Set<() => void>()

  read = (): PreviewState => this.#state

  readSeconds(): number {
    return this.#audio?.currentTime ?? 0
  }

  lengthSeconds(track: ShowcaseTrack): number {
    return track.preview_seconds
  }

  isSounding(): boolean {
    return this.#state.sound === 'waiting' || this.#state.sound === 'playing'
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Replaces the tracks. The selected track stays selected if the new list contains it. */
  setTracks(next: readonly ShowcaseTrack[]): void {
    const picked = this.#tracks[this.#state.index]?.id
    this.#tracks = next
    const index = next.findIndex(({ id }) => id === picked)
    const isOther = index !== this.#state.index && picked !== undefined
    if (isOther) this.#change({ index: Math.max(0, index) })
  }

  toggle(index: number): void {
    if (index === this.#state.index && this.isSounding()) this.#audio?.pause()
    else this.#play(index)
  }

  pick(index: number): void {
    const wrapped = (index + this.#tracks.length) % this.#tracks.length
    if (this.isSounding()) return this.#play(wrapped)
    this.#load(wrapped)
    this.#change({ index: wrapped, sound: 'paused' })
  }

  seek(seconds: number): void {
    this.#load(this.#state.index)
    this.#element().currentTime = seconds
    this.#change({ elapsedSeconds: seconds })
  }

  /** Stops playback and resets the player to its initial state. */
  leave(): void {
    document.removeEventListener('play', this.#pauseForOthers, { capture: true })
    this.#audio?.pause()
    this.#audio?.removeAttribute('src')
    this.#audio?.remove()
    this.#audio = undefined
    this.#state = initialPreview
  }

  #change(next: Partial<PreviewState>): void {
    this.#state = { ...this.#state, ...next }
    for (const listener of this.#listeners) listener()
  }

  readonly #pauseForOthers = ({ target }: Event): void => {
    if (target !== this.#audio) this.#audio?.pause()
  }

  #element(): HTMLAudioElement {
    if (this.#audio) return this.#audio
    const created = new Audio()
    this.#audio = created
    created.preload = 'none'
    const on = (event: string, act: () => void) =>
      created.addEventListener(event, () => {
        // Ignore late events of an element that was replaced.
        if (created === this.#audio) act()
      })
    on('playing', () => this.#change({ sound: 'playing' }))
    on('waiting', () => {
      if (this.isSounding()) this.#change({ sound: 'waiting' })
    })
    on('pause', () => this.#change({ sound: 'paused' }))
    on('error', () => this.#change({ sound: 'failed' }))
    on('timeupdate', () => this.#change({ elapsedSeconds: created.currentTime }))
    on('ended', () => {
      created.currentTime = 0
      this.#change({ sound: 'paused', elapsedSeconds: 0 })
    })
    document.addEventListener('play', this.#pauseForOthers, { capture: true })
    // Append the element: its `play` event reaches listeners on the document only if the element is in the document.
    document.body.append(created)
    return created
  }

  #load(index: number): void {
    const address = this.#tracks[index]?.preview_url
    if (!address || this.#element().getAttribute('src') === address) return
    this.#element().src = address
    this.#change({ elapsedSeconds: 0 })
  }

  #play(index: number): void {
    if (!this.#tracks[index]) return
    this.#load(index)
    this.#change({ index, sound: 'waiting' })
    this.#element()
      .play()
      .catch((error: unknown) => {
        // A newer selection aborts the pending play(), which is not an error.
        const isCancelled = error instanceof DOMException && error.name === 'AbortError'
        if (!isCancelled) this.#change({ sound: 'failed' })
      })
  }
}

/** The page's only preview player. */
export const previewPlayer = new PreviewPlayer()
