// The right end of the bar: buttons for the panels, the volume, the mini player and the full player.
import {
  IconAdjustmentsHorizontal,
  IconArrowsDiagonal,
  IconMicrophone2,
  IconPictureInPicture,
  IconPlaylist,
} from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import styles from './player-tools.module.css'
import {
  toggleFullPlayer,
  toggleMini,
  togglePanel,
  usePlayerView,
  type PlayerPanel,
} from '../playback/player-view.ts'
import { VolumeControl } from './volume-control.tsx'

export function PlayerTools() {
  return (
    <div className={styles.tools}>
      <span className={styles.roomy}>
        <PanelButton panel="lyrics" label="Lyrics">
          <IconMicrophone2 />
        </PanelButton>
        <PanelButton panel="settings" label="Sound and sleep timer">
          <IconAdjustmentsHorizontal />
        </PanelButton>
      </span>
      <PanelButton panel="queue" label="Queue">
        <IconPlaylist />
      </PanelButton>
      <div className={styles.volume}>
        <VolumeControl />
      </div>
      <span className={styles.roomy}>
        <IconButton label="Mini player" onClick={toggleMini}>
          <IconPictureInPicture />
        </IconButton>
      </span>
      <IconButton label="Full player" onClick={toggleFullPlayer}>
        <IconArrowsDiagonal />
      </IconButton>
    </div>
  )
}

function PanelButton({
  panel,
  label,
  children,
}: {
  panel: PlayerPanel
  label: string
  children: ReactNode
}) {
  const isOpen = usePlayerView((view) => view.panel === panel)
  return (
    <IconButton label={label} pressed={isOpen} onClick={() => togglePanel(panel)}>
      {children}
    </IconButton>
  )
}
