// Which parts of the player are open. Only of this page's life; what is heard stands in the store.
import { create } from 'zustand'
import { isNarrow } from './use-is-narrow.ts'

export type PlayerPanel = 'queue' | 'lyrics' | 'settings'

export interface PlayerView {
  /** Beside the bar. */
  panel: PlayerPanel | null
  /** The player over the whole window. */
  isFull: boolean
  /** It was opened before, so it stays mounted and can move away when it closes. */
  wasFull: boolean
  /** In the full player: what stands in place of the cover. */
  fullPanel: PlayerPanel | null
  /** The bar folded into a small card. */
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

/** Opens a panel beside the bar, or in the full player where there is no room; closes an open one. */
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

/** It could not be drawn: it is not even kept closed. */
export function forgetFullPlayer(): void {
  usePlayerView.setState({ isFull: false, wasFull: false, fullPanel: null })
}

export function toggleMini(): void {
  usePlayerView.setState(({ isMini }) => ({ isMini: !isMini, panel: null }))
}

export function setHelpOpen(isHelpOpen: boolean): void {
  usePlayerView.setState({ isHelpOpen })
}
