// The three panels that open beside the bar or in the full player. Each is loaded on first use.
import { Suspense, lazy } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import { loadLyricsPanel, loadQueuePanel, loadSettingsPanel } from './load-panels.ts'
import styles from './panel-content.module.css'
import type { PlayerTrack } from './player-track.ts'
import type { PlayerPanel } from './player-view.ts'

const QueuePanel = lazy(async () => ({ default: (await loadQueuePanel()).QueuePanel }))
const LyricsPanel = lazy(async () => ({ default: (await loadLyricsPanel()).LyricsPanel }))
const SettingsPanel = lazy(async () => ({ default: (await loadSettingsPanel()).SettingsPanel }))

export const panelTitles: Record<PlayerPanel, string> = {
  queue: 'Queue',
  lyrics: 'Lyrics',
  settings: 'Sound and sleep timer',
}

export function PanelContent({ panel, track }: { panel: PlayerPanel; track: PlayerTrack }) {
  return (
    <Suspense fallback={<PanelSkeleton />}>
      {panel === 'queue' && <QueuePanel />}
      {panel === 'lyrics' && <LyricsPanel track={track} />}
      {panel === 'settings' && <SettingsPanel />}
    </Suspense>
  )
}

export function PanelSkeleton() {
  return (
    <div className={styles.skeleton} aria-busy="true">
      {['70%', '45%', '60%', '52%', '66%'].map((width) => (
        <Skeleton key={width} width={width} height="1.25rem" />
      ))}
    </div>
  )
}
