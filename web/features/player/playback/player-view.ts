// Which parts of the player are open. Not persisted; playback state is in the player store.
import { create } from 'zustand'
import { isNarrow } from './use-is-narrow.ts'

export type PlayerPanel = 'queue' | 'lyrics' | 'settings'

export interface PlayerView {
  /** The panel open beside the bar. */
  panel: PlayerPanel | null
  /** True if the full-window player is open. */
  isFull: boolean
  /** True if the full player was opened before. It then stays mounted for its closing animation. */
  wasFull: boolean
  /** The panel shown instead of the cover in the full player. */
  fullPanel: PlayerPanel | null
  /** True if the bar is collapsed to a small card. */
  isMini: boolean
  isHelpOpen: boolean
}

export const initialPlayerView: PlayerView = {
  panel: null,
  isFull: false,
  wasFull: false,
  fullPanel: null,
  isMini: false,
  isHelpOpen: false,
}

export const usePlayerView = create<PlayerView>(() => initialPlayerView)

/** Toggles a panel beside the bar, or in the full player on narrow screens. */
export function togglePanel(panel: PlayerPanel): void {
  usePlayerView.setState((view) => {
    if (view.isFull) return { fullPanel: view.fullPanel === panel ? null : panel }
    if (isNarrow()) return { isFull: true, wasFull: true, fullPanel: panel }
    return { panel: view.panel === panel ? null : panel, isMini: false }
  })
}

export function closePanel(): void {
  usePlayerView.setState({ panel: null })
}

export function toggleFullPlayer(): void {
  usePlayerView.setState(({ isFull, wasFull }) => ({
    isFull: !isFull,
    wasFull: wasFull || !isFull,
    panel: null,
    isMini: false,
  }))
}

export function closeFullPlayer(): void {
  usePlayerView.setState({ isFull: false, fullPanel: null })
}

/** Unmounts the full player. Call when it has failed to render. */
export function unmountFullPlayer(): void {
  usePlayerView.setState({ isFull: false, wasFull: false, fullPanel: null })
}

export function toggleMini(): void {
  usePlayerView.setState(({ isMini }) => ({ isMini: !isMini, panel: null }))
}

export function setHelpOpen(isHelpOpen: boolean): void {
  usePlayerView.setState({ isHelpOpen })
}
