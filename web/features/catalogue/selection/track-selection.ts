// The selected rows of one list of tracks. Holds tracks rather than indexes, so that the selection survives changes of
// the list.
import { createContext, use, useEffect, useLayoutEffect, useState } from 'react'
import { createStore, useStore, type StoreApi } from 'zustand'
import type { PlayableList } from '../../player/queue/playable-list.ts'
import type { PlayerTrack } from '../../player/queue/player-track.ts'

/** Maximum number of selected tracks: one like request accepts no more. */
export const maxSelected = 1000

export type SelectedTrack = PlayerTrack & { is_liked?: boolean }

interface SelectionState {
  /** True if rows show checkboxes. */
  isSelecting: boolean
  selected: ReadonlyMap<string, SelectedTrack>
  /** Index of the row where a range selection starts. */
  anchor: number | null
  /** Returns the complete list, for Select All. */
  list: () => PlayableList
}

export type TrackSelection = StoreApi<SelectionState>

const nothing = { isSelecting: false, selected: new Map(), anchor: null }
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
  useEffect(() => () => endSelecting(selection), [selection, resetKey])
  return selection
}

/** A selection that is always empty, for lists that have no selection. */
const withoutSelection = createTrackSelection()
export const SelectionContext = createContext<TrackSelection>(withoutSelection)

/** Returns a function that selects or deselects this track; undefined for lists without a selection. */
export function useSelectOne(track: SelectedTrack): (() => void) | undefined {
  const selection = useSelection()
  if (selection === withoutSelection) return undefined
  return () => toggleSelected(selection, null, track)
}

export function useSelection(): TrackSelection {
  return use(SelectionContext)
}

export function useIsSelecting(selection = useSelection()): boolean {
  return useStore(selection, (state) => state.isSelecting)
}

export function useIsSelected(trackId: string): boolean {
  return useStore(useSelection(), (state) => state.selected.has(trackId))
}

export function useSelectedTracks(selection: TrackSelection): ReadonlyMap<string, SelectedTrack> {
  return useStore(selection, (state) => state.selected)
}

export function startSelecting(selection: TrackSelection): void {
  selection.setState({ isSelecting: true })
}

export function endSelecting(selection: TrackSelection): void {
  selection.setState(nothing)
}

/** Selects or deselects a row. */
export function toggleSelected(
  selection: TrackSelection,
  index: number | null,
  track: SelectedTrack,
): void {
  const selected = new Map(selection.getState().selected)
  if (!selected.delete(track.id) && selected.size < maxSelected) selected.set(track.id, track)
  selection.setState({ isSelecting: true, selected, anchor: index })
}

/** Selects the rows from the anchor to this row. Skips rows that are not loaded. */
export function selectRange(
  selection: TrackSelection,
  index: number,
  trackAt: (index: number) => SelectedTrack | undefined,
): void {
  const { anchor, selected } = selection.getState()
  const from = anchor ?? index
  const range = new Map(selected)
  for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
    const track = trackAt(at)
    if (track && range.size < maxSelected) range.set(track.id, track)
  }
  selection.setState({ isSelecting: true, selected: range, anchor: from })
}

/** Loads the rest of the list and selects all tracks. Returns false if the list exceeds the maximum. */
export async function selectAll(selection: TrackSelection): Promise<boolean> {
  const { loaded, rest } = selection.getState().list()
  const selected = new Map<string, SelectedTrack>()
  const add = (tracks: readonly SelectedTrack[]) => {
    for (const track of tracks) {
      if (selected.size >= maxSelected) return false
      selected.set(track.id, track)
    }
    return true
  }
  let isWhole = add(loaded)
  selection.setState({ isSelecting: true, selected: new Map(selected) })
  if (rest && isWhole) {
    const loading = new AbortController()
    for await (const part of rest(loading.signal)) {
      isWhole = add(part)
      if (!isWhole) break
    }
    // The user may have ended selection mode in the meantime.
    if (selection.getState().isSelecting) selection.setState({ selected })
  }
  return isWhole
}
