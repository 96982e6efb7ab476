// The chosen rows of one list of tracks. They are held as tracks, not as indexes, so that a list that changes meanwhile
// keeps its selection.
import { createContext, use, useEffect, useLayoutEffect, useState } from 'react'
import { createStore, useStore, type StoreApi } from 'zustand'
import type { PlayableList } from '../../player/queue/playable-list.ts'
import type { PlayerTrack } from '../../player/queue/player-track.ts'

/** Tracks that can be chosen at once: what one request may like. */
export const maxChosen = 1000

export type ChosenTrack = PlayerTrack & { is_liked?: boolean }

interface SelectionState {
  /** Rows show checkboxes. */
  isChoosing: boolean
  chosen: ReadonlyMap<string, ChosenTrack>
  /** The row that a range starts from. */
  anchor: number | null
  /** The whole list, to choose all of it. */
  list: () => PlayableList
}

export type TrackSelection = StoreApi<SelectionState>

const nothing = { isChoosing: false, chosen: new Map(), anchor: null }
const emptyList: PlayableList = { loaded: [], rest: null }

function createTrackSelection(): TrackSelection {
  return createStore<SelectionState>(() => ({ ...nothing, list: () => emptyList }))
}

/** The selection of one list. It ends when `resetKey` changes, with the filters of the list or its order. */
export function useTrackSelection(list: () => PlayableList, resetKey: unknown): TrackSelection {
  const [selection] = useState(createTrackSelection)
  useLayoutEffect(() => {
    selection.setState({ list })
  })
  useEffect(() => () => endChoosing(selection), [selection, resetKey])
  return selection
}

/** For lists without selection: in those nothing is ever chosen. */
const withoutSelection = createTrackSelection()
export const SelectionContext = createContext<TrackSelection>(withoutSelection)

/** Undefined in a list whose rows can't be chosen. */
export function useChooseOne(track: ChosenTrack): (() => void) | undefined {
  const selection = useSelection()
  if (selection === withoutSelection) return undefined
  return () => toggleChosen(selection, null, track)
}

export function useSelection(): TrackSelection {
  return use(SelectionContext)
}

export function useIsChoosing(selection = useSelection()): boolean {
  return useStore(selection, (state) => state.isChoosing)
}

export function useIsChosen(trackId: string): boolean {
  return useStore(useSelection(), (state) => state.chosen.has(trackId))
}

export function useChosen(selection: TrackSelection): ReadonlyMap<string, ChosenTrack> {
  return useStore(selection, (state) => state.chosen)
}

export function startChoosing(selection: TrackSelection): void {
  selection.setState({ isChoosing: true })
}

export function endChoosing(selection: TrackSelection): void {
  selection.setState(nothing)
}

/** Chooses a row, or takes it out again. */
export function toggleChosen(
  selection: TrackSelection,
  index: number | null,
  track: ChosenTrack,
): void {
  const chosen = new Map(selection.getState().chosen)
  if (!chosen.delete(track.id) && chosen.size < maxChosen) chosen.set(track.id, track)
  selection.setState({ isChoosing: true, chosen, anchor: index })
}

/** Adds the rows from the anchor to this one. Rows that are not loaded are left out. */
export function chooseTo(
  selection: TrackSelection,
  index: number,
  trackAt: (index: number) => ChosenTrack | undefined,
): void {
  const { anchor, chosen } = selection.getState()
  const from = anchor ?? index
  const range = new Map(chosen)
  for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
    const track = trackAt(at)
    if (track && range.size < maxChosen) range.set(track.id, track)
  }
  selection.setState({ isChoosing: true, chosen: range, anchor: from })
}

/** Loads the rest of the list. Returns false if it has more than can be chosen. */
export async function chooseAll(selection: TrackSelection): Promise<boolean> {
  const { loaded, rest } = selection.getState().list()
  const chosen = new Map<string, ChosenTrack>()
  const add = (tracks: readonly ChosenTrack[]) => {
    for (const track of tracks) {
      if (chosen.size >= maxChosen) return false
      chosen.set(track.id, track)
    }
    return true
  }
  let isWhole = add(loaded)
  selection.setState({ isChoosing: true, chosen: new Map(chosen) })
  if (rest && isWhole) {
    const loading = new AbortController()
    for await (const part of rest(loading.signal)) {
      isWhole = add(part)
      if (!isWhole) break
    }
    // The person may have ended it meanwhile.
    if (selection.getState().isChoosing) selection.setState({ chosen })
  }
  return isWhole
}
