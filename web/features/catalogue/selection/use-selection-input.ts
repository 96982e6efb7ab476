// Selects rows by mouse (Ctrl, Cmd or Shift with a click; in selection mode a plain click or tap) and by keys
// (Ctrl+Space, Shift with the arrows, Ctrl+A, Escape).
import type { KeyboardEvent, MouseEvent } from 'react'
import { showError } from '../../../base/api/show-error.ts'
import {
  chooseAll,
  chooseTo,
  endChoosing,
  toggleChosen,
  type ChosenTrack,
  type TrackSelection,
} from './track-selection.ts'

export interface SelectableRows {
  selection: TrackSelection | undefined
  trackAt: (index: number) => ChosenTrack | undefined
}

/** Returns true if the click changed the selection. */
export function chooseByClick(
  { selection, trackAt }: SelectableRows,
  event: MouseEvent,
  index: number | undefined,
): boolean {
  const track = index === undefined ? undefined : trackAt(index)
  if (!selection || index === undefined || !track) return false
  if (event.shiftKey) chooseTo(selection, index, trackAt)
  else if (event.ctrlKey || event.metaKey || selection.getState().isChoosing) {
    toggleChosen(selection, index, track)
  } else return false
  return true
}

/** Returns true if the key changed the selection. `moveTo` moves the focus. */
export function chooseByKey(
  { selection, trackAt }: SelectableRows,
  event: KeyboardEvent,
  index: number,
  moveTo: (key: string) => number | undefined,
): boolean {
  if (!selection) return false
  const hasCtrl = event.ctrlKey || event.metaKey
  const track = trackAt(index)
  if (hasCtrl && event.key.toLowerCase() === 'a') {
    chooseAll(selection).catch(showError)
  } else if (hasCtrl && event.key === ' ' && track) {
    toggleChosen(selection, index, track)
  } else if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    if (selection.getState().anchor === null) selection.setState({ anchor: index })
    chooseTo(selection, moveTo(event.key) ?? index, trackAt)
  } else if (event.key === 'Escape' && selection.getState().isChoosing) {
    endChoosing(selection)
  } else return false
  event.preventDefault()
  event.stopPropagation()
  return true
}
