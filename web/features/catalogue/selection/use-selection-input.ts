// Selects rows by mouse (Ctrl, Cmd or Shift with a click; in selection mode a plain click or tap) and by keys
// (Ctrl+Space, Shift with the arrows, Ctrl+A, Escape).
import type { KeyboardEvent, MouseEvent } from 'react'
import { showError } from '../../../base/api/show-error.ts'
import {
  selectAll,
  selectRange,
  endSelecting,
  toggleSelected,
  type SelectedTrack,
  type TrackSelection,
} from './track-selection.ts'

export interface SelectableRows {
  selection: TrackSelection | undefined
  trackAt: (index: number) => SelectedTrack | undefined
}

/** Returns true if the click changed the selection. */
export function selectByClick(
  { selection, trackAt }: SelectableRows,
  event: MouseEvent,
  index: number | undefined,
): boolean {
  const track = index === undefined ? undefined : trackAt(index)
  if (!selection || index === undefined || !track) return false
  if (event.shiftKey) selectRange(selection, index, trackAt)
  else if (event.ctrlKey || event.metaKey || selection.getState().isSelecting) {
    toggleSelected(selection, index, track)
  } else return false
  return true
}

/** Returns true if the key changed the selection. `moveTo` moves the focus. */
export function selectByKey(
  { selection, trackAt }: SelectableRows,
  event: KeyboardEvent,
  index: number,
  moveTo: (key: string) => number | undefined,
): boolean {
  if (!selection) return false
  const hasCtrl = event.ctrlKey || event.metaKey
  const track = trackAt(index)
  if (hasCtrl && event.key.toLowerCase() === 'a') {
    selectAll(selection).catch(showError)
  } else if (hasCtrl && event.key === ' ' && track) {
    toggleSelected(selection, index, track)
  } else if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    if (selection.getState().anchor === null) selection.setState({ anchor: index })
    selectRange(selection, moveTo(event.key) ?? index, trackAt)
  } else if (event.key === 'Escape' && selection.getState().isSelecting) {
    endSelecting(selection)
  } else return false
  event.preventDefault()
  event.stopPropagation()
  return true
}
