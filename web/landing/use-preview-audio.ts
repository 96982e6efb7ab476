// Plays the previews of the landing page with one plain audio element. The player of the app is not
// loaded for visitors; for members it is there, and whichever starts last silences the other.
import { useEffect, useRef, useState } from 'react'
import type { ShowcaseTrack } from '#contract/tracks.ts'
import { showToast } from '../ui/toast-store.ts'

export interface PreviewAudio {
  /** The picked track; the first one until somebody picks. */
  track: ShowcaseTrack | undefined
  index: number
  playing: boolean
  /** Pressed play, nothing to hear yet. */
  waiting: boolean
  /** Whole seconds into the preview, for the clock. */
  elapsedSeconds: number
  /** Exact position, 0 to 1, for what is drawn every frame. */
  readPlayed: () => number
  /** Plays the track, or pauses it when it plays already. */
  toggle: (index: number) => void
  pick: (index: number) => void
  seek: (seconds: number) => void
}

export function usePreviewAudio(tracks: ShowcaseTrack[]): PreviewAudio {
  const audio = useRef<HTMLAudioElement | null>(null)
  const [index, setIndex] = useState(0)
  const [state, setState] = useState<'paused' | 'waiting' | 'playing'>('paused')
  const [elapsedSeconds, setElapsedSeconds] = useState(0)
  const track = tracks[index]
  const count = tracks.length

  useEffect(() => {
    const element = new Audio()
    element.preload = 'none'
    // Only in the document does its start reach those who listen for it there.
    document.body.append(element)
    audio.current = element
    const listening = new AbortController()
    const on = (event: string, act: () => void) =>
      element.addEventListener(event, act, { signal: listening.signal })
    on('playing', () => setState('playing'))
    on('waiting', () => setState((now) => (now === 'paused' ? now : 'waiting')))
    on('pause', () => setState('paused'))
    on('timeupdate', () => setElapsedSeconds(Math.floor(element.currentTime)))
    on('ended', () => {
      setState('paused')
      setElapsedSeconds(0)
      element.currentTime = 0
    })
    const othersPlay = ({ target }: Event) => {
      if (target !== element) element.pause()
    }
    document.addEventListener('play', othersPlay, { capture: true, signal: listening.signal })
    return () => {
      listening.abort()
      element.pause()
      element.removeAttribute('src')
      element.remove()
    }
  }, [])

  function load(next: number) {
    const element = audio.current
    const address = tracks[next]?.preview_url
    if (!element || !address || element.getAttribute('src') === address) return
    element.src = address
    setElapsedSeconds(0)
  }

  function play(next: number) {
    const element = audio.current
    if (!element || !tracks[next]) return
    load(next)
    setIndex(next)
    setState('waiting')
    element.play().catch((error: unknown) => {
      // A newer pick cancels the older one; that is no failure.
      if (error instanceof DOMException && error.name === 'AbortError') return
      setState('paused')
      showToast({
        tone: 'destructive',
        title: 'This preview could not be played',
        message: 'Please check your connection and try again.',
      })
    })
  }

  return {
    track,
    index,
    playing: state === 'playing',
    waiting: state === 'waiting',
    elapsedSeconds,
    readPlayed() {
      const length = track?.preview_seconds ?? 0
      return length > 0 ? Math.min(1, (audio.current?.currentTime ?? 0) / length) : 0
    },
    toggle(next) {
      if (next === index && state !== 'paused') audio.current?.pause()
      else play(next)
    },
    pick(next) {
      const wrapped = (next + count) % count
      if (state === 'paused') {
        setIndex(wrapped)
        load(wrapped)
      } else {
        play(wrapped)
      }
    },
    seek(seconds) {
      const element = audio.current
      if (!element) return
      load(index)
      element.currentTime = seconds
      setElapsedSeconds(Math.floor(seconds))
    },
  }
}
