// The selected rows of one list of tracks. Holds tracks rather than indexes, so that the selection survives changes of
// the list.
import { createContext, use, useEffect, useLayoutEffect, useState } from 'react'
import { createStore, useStore, type StoreApi } from 'zustand'
import type { PlayableList } from '../../player/queue/playable-list.ts'
import type { PlayerTrack } from '../../player/queue/player-track.ts'

/** Maximum number of selected tracks: the limit of one like request. */
export const maxChosen = 1000

export type ChosenTrack = PlayerTrack & { is_liked?: boolean }

interface SelectionState {
  /** True if rows show checkboxes. */
  isChoosing: boolean
  chosen: ReadonlyMap<string, ChosenTrack>
  /** The row where a range starts. */
  anchor: number | null
  /** The whole list, for Select All. */
  list: () => PlayableList
}

export type TrackSelection = StoreApi<SelectionState>

const nothing = { isChoosing: false, chosen: new Map(), anchor: null }
const emptyList: PlayableList = { loaded: [], rest: null }

function createTrackSelection(): TrackSelection {
  return createStore<SelectionState>(() => ({ ...nothing, list: () => emptyList }))
}

/**
 * The selection of one list. It is cleared when `resetKey` changes, for example when the list is filtered or sorted.
 */
export function useTrackSelection(list: () => PlayableList, resetKey: unknown): TrackSelection {
  const [selection] = useState(createTrackSelection)
  useLayoutEffect(() => {
    selection.setState({ list })
  })
  useEffect(() => () => endChoosing(selection), [selection, resetKey])
  return selection
}

/** A selection that is always empty, for lists without one. */
const withoutSelection = createTrackSelection()
export const SelectionContext = createContext<TrackSelection>(withoutSelection)

/** Undefined for lists without a selection. */
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

/** Selects or deselects a row. */
export function toggleChosen(
  selection: TrackSelection,
  index: number | null,
  track: ChosenTrack,
): void {
  const chosen = new Map(selection.getState().chosen)
  if (!chosen.delete(track.id) && chosen.size < maxChosen) chosen.set(track.id, track)
  selection.setState({ isChoosing: true, chosen, anchor: index })
}

/** Selects the rows from the anchor to this one. Skips rows that are not loaded. */
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

/** Loads the rest of the list and selects all. Returns false if the list exceeds the maximum. */
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
    // The user may have ended selection mode meanwhile.
    if (selection.getState().isChoosing) selection.setState({ chosen })
  }
  return isWhole
}
