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
  /** Exact position in seconds, for rendering on every frame. */
  readSeconds: () => number
  lengthSeconds: (track: ShowcaseTrack) => number
  isSounding: () => boolean
  /** Calls the listener on every change, until the returned function is called. */
  hear: (listener: () => void) => () => void
  setTracks: (tracks: readonly ShowcaseTrack[]) => void
  /** Plays the track, or pauses it if it is playing. */
  toggle: (index: number) => void
  /** Selects another track; it plays if the current one is playing. */
  pick: (index: number) => void
  seek: (seconds: number) => void
}

export const untouchedPreview: PreviewState = { index: 0, sound: 'paused', elapsedSeconds: 0 }

function createPreviewPlayer(): StagePlayer & { leave: () => void } {
  let tracks: readonly ShowcaseTrack[] = []
  let state = untouchedPreview
  let audio: HTMLAudioElement | undefined
  const hearers = new Set<() => void>()

  function change(next: Partial<PreviewState>): void {
    state = { ...state, ...next }
    for (const hear of hearers) hear()
  }

  function element(): HTMLAudioElement {
    if (audio) return audio
    const created = new Audio()
    audio = created
    created.preload = 'none'
    const on = (event: string, act: () => void) =>
      created.addEventListener(event, () => {
        // Ignore late events of an element that was removed.
        if (created === audio) act()
      })
    on('playing', () => change({ sound: 'playing' }))
    on('waiting', () => {
      if (isSounding()) change({ sound: 'waiting' })
    })
    on('pause', () => change({ sound: 'paused' }))
    on('error', () => change({ sound: 'failed' }))
    on('timeupdate', () => change({ elapsedSeconds: created.currentTime }))
    on('ended', () => {
      created.currentTime = 0
      change({ sound: 'paused', elapsedSeconds: 0 })
    })
    document.addEventListener('play', pauseForOthers, { capture: true })
    // Its `play` event reaches listeners on the document only if the element is in the document.
    document.body.append(created)
    return created
  }

  function pauseForOthers({ target }: Event): void {
    if (target !== audio) audio?.pause()
  }

  const isSounding = () => state.sound === 'waiting' || state.sound === 'playing'

  function load(index: number): void {
    const address = tracks[index]?.preview_url
    if (!address || element().getAttribute('src') === address) return
    element().src = address
    change({ elapsedSeconds: 0 })
  }

  function play(index: number): void {
    if (!tracks[index]) return
    load(index)
    change({ index, sound: 'waiting' })
    element()
      .play()
      .catch((error: unknown) => {
        // A newer selection aborts the pending play(), which is not an error.
        const isCancelled = error instanceof DOMException && error.name === 'AbortError'
        if (!isCancelled) change({ sound: 'failed' })
      })
  }

  return {
    noun: 'preview',
    read: () => state,
    readSeconds: () => audio?.currentTime ?? 0,
    lengthSeconds: (track) => track.preview_seconds,
    isSounding,

    hear(hearer) {
      hearers.add(hearer)
      return () => void hearers.delete(hearer)
    },

    /** The selected track stays selected if the new list contains it. */
    setTracks(next) {
      const picked = tracks[state.index]?.id
      tracks = next
      const index = next.findIndex(({ id }) => id === picked)
      if (index !== state.index && picked !== undefined) change({ index: Math.max(0, index) })
    },

    toggle(index) {
      if (index === state.index && isSounding()) audio?.pause()
      else play(index)
    },

    pick(index) {
      const wrapped = (index + tracks.length) % tracks.length
      if (isSounding()) return play(wrapped)
      load(wrapped)
      change({ index: wrapped, sound: 'paused' })
    },

    seek(seconds) {
      load(state.index)
      element().currentTime = seconds
      change({ elapsedSeconds: seconds })
    },

    /** Stops and resets to the initial state. */
    leave() {
      document.removeEventListener('play', pauseForOthers, { capture: true })
      audio?.pause()
      audio?.removeAttribute('src')
      audio?.remove()
      audio = undefined
      state = untouchedPreview
    },
  }
}

/** The page's only preview player. */
export const previewPlayer = createPreviewPlayer()
