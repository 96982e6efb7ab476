// What plays on the landing page: one plain audio element, and which of the previews it has. It lives outside
// of React, because it sounds before the app has come and goes on when the app takes over. The player of the
// app is not loaded for visitors; for members it is there, and whichever starts last silences the other.
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'

export interface PreviewState {
  /** The picked track; the first one until somebody picks. */
  index: number
  /** `waiting`: pressed play, nothing to hear yet. */
  sound: 'paused' | 'waiting' | 'playing' | 'failed'
  elapsedSeconds: number
}

export const untouchedPreview: PreviewState = { index: 0, sound: 'paused', elapsedSeconds: 0 }

/** Plays the previews of `tracks`; `onChange` hears of every new state. */
function createPreviewPlayer() {
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
    read: () => state,
    /** Exact position in seconds, for what is drawn every frame. */
    readSeconds: () => audio?.currentTime ?? 0,
    isSounding,

    hear(hearer: () => void): () => void {
      hearers.add(hearer)
      return () => void hearers.delete(hearer)
    },

    /** The picked track stays picked where the list still has it. */
    setTracks(next: readonly ShowcaseTrack[]): void {
      const picked = tracks[state.index]?.id
      tracks = next
      const index = next.findIndex(({ id }) => id === picked)
      if (index !== state.index && picked !== undefined) change({ index: Math.max(0, index) })
    },

    /** Plays the track, or pauses it when it plays already. */
    toggle(index: number): void {
      if (index === state.index && isSounding()) audio?.pause()
      else play(index)
    },

    /** Goes on with another one: sounding where this one sounds. */
    pick(index: number): void {
      const wrapped = (index + tracks.length) % tracks.length
      if (isSounding()) return play(wrapped)
      load(wrapped)
      change({ index: wrapped, sound: 'paused' })
    },

    seek(seconds: number): void {
      load(state.index)
      element().currentTime = seconds
      change({ elapsedSeconds: seconds })
    },

    /** Silent, and as if nobody had touched it. */
    leave(): void {
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
