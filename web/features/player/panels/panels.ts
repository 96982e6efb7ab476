// The three panels that open beside the bar or in the full player. A separate module, so that the bar can prefetch
// their code without rendering them.
import { lazyComponent } from '../../../base/ui/layout/lazy-component.tsx'
import { PanelSkeleton } from './panel-skeleton.tsx'
import type { PlayerPanel } from '../playback/player-view.ts'

export const QueuePanel = lazyComponent(
  async () => (await import('./queue-panel.tsx')).QueuePanel,
  PanelSkeleton,
)
export const LyricsPanel = lazyComponent(
  async () => (await import('./lyrics-panel.tsx')).LyricsPanel,
  PanelSkeleton,
)
export const SettingsPanel = lazyComponent(
  async () => (await import('./settings-panel.tsx')).SettingsPanel,
  PanelSkeleton,
)

export const panelTitles: Record<PlayerPanel, string> = {
  queue: 'Queue',
  lyrics: 'Lyrics',
  settings: 'Sound and sleep timer',
}
