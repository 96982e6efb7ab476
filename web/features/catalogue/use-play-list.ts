// Plays a screen's list, and shows an error when the rest of it can't be loaded.
import type { PlayContext } from '#contract/play-context.ts'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { showError } from '../../base/api/show-error.ts'
import type { PlayTracksOptions } from '../player/playback/player-actions.ts'
import { isShuffled } from '../player/queue/play-queue.ts'
import { usePlayer } from '../player/playback/player-store.ts'
import type { PlayableList } from '../player/queue/playable-list.ts'
import { startList } from './start-list.ts'

export interface PlayListSource {
  /** Name of the source, shown in the queue panel. */
  source: string
  /** Identifies the list, so that it can be continued later. */
  context?: PlayContext | undefined
  /** Called at the start of playback. Returns the list. */
  list: () => PlayableList
}

export function usePlayList(from: PlayListSource) {
  const latest = useRef(from)
  useLayoutEffect(() => {
    latest.current = from
  })
  const [shuffling, setShuffling] = useState(0)

  const start = useCallback(async (options: PlayTracksOptions) => {
    const { source, context, list } = latest.current
    const waits = (options.shuffle ?? isShuffled(usePlayer.getState().queue)) ? 1 : 0
    setShuffling((count) => count + waits)
    try {
      await startList(list(), { source, ...(context && { context }), ...options })
    } catch (error) {
      const isSuperseded = error instanceof DOMException && error.name === 'AbortError'
      if (!isSuperseded) showError(error)
    } finally {
      setShuffling((count) => count - waits)
    }
  }, [])
  return {
    /** Plays the list. Shows errors itself. */
    start: useCallback((options: PlayTracksOptions) => void start(options), [start]),
    /** True while shuffled playback waits for the whole list. */
    isShuffling: shuffling > 0,
  }
}
