// The content of the open panel, beside the bar or in the full player.
import { LyricsPanel, QueuePanel, SettingsPanel } from './panels.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import type { PlayerPanel } from '../playback/player-view.ts'

export function PanelContent({ panel, track }: { panel: PlayerPanel; track: PlayerTrack }) {
  if (panel === 'queue') return <QueuePanel />
  if (panel === 'lyrics') return <LyricsPanel track={track} />
  return <SettingsPanel />
}
