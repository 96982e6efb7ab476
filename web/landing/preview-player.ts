// What plays on the landing page for visitors: one plain audio element, and which of the previews it has. It lives
// outside of React, because it sounds before the app has come and goes on when the app takes over. For members the
// app's own player takes its place (member-stage.ts).
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'

export interface PreviewState {
  /** The picked track; the first one until somebody picks. */
  index: number
  /** `waiting`: pressed play, nothing to hear yet. */
  sound: 'paused' | 'waiting' | 'playing' | 'failed'
  elapsedSeconds: number
}

/** What the hero plays with. */
export interface StagePlayer {
  /** For the names of the buttons: 'Play preview'. */
  noun: 'preview' | 'track'
  read: () => PreviewState
  /** Exact position in seconds, for what is drawn every frame. */
  readSeconds: () => number
  lengthSeconds: (track: ShowcaseTrack) => number
  isSounding: () => boolean
  /** Calls it with every change, until the returned function is called. */
  hear: (listener: () => void) => () => void
  setTracks: (tracks: readonly ShowcaseTrack[]) => void
  /** Plays the track, or pauses it when it plays already. */
  toggle: (index: number) => void
  /** Goes on with another one: sounding where this one sounds. */
  pick: (index: number) => void
  seek: (seconds: number) => void
}

export const untouchedPreview: PreviewState = { index: 0, sound: 'paused', elapsedSeconds: 0 }

/** Plays the previews of `tracks`; `onChange` hears of every new state. */
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
        // One that was left tells its last news late.
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
    // Only in the document does its start reach those who listen for it there.
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
        // A newer pick cancels the older one; that is no failure.
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

    /** The picked track stays picked where the list still has it. */
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

    /** Silent, and as if nobody had touched it. */
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

/** The one of this page. */
export const previewPlayer = createPreviewPlayer()
