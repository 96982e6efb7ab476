// The full-window player. On a phone it is the only place with all controls. On a desktop it is a large view.
import {
  IconAdjustmentsHorizontal,
  IconChevronDown,
  IconMicrophone2,
  IconPlaylist,
} from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { ArtistLinks } from '../../catalogue/artist-links.tsx'
import { PremiumMark } from '../../catalogue/premium-mark.tsx'
import { AiBadge } from '../../catalogue/ai-badge.tsx'
import { Cover } from '../../../base/ui/display/cover.tsx'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { Toasts } from '../../../base/ui/overlays/toasts.tsx'
import { useModal } from '../../../base/ui/overlays/use-modal.ts'
import { breakpoints } from '../../../base/ui/theme/breakpoints.ts'
import styles from './full-player.module.css'
import { PanelContent } from '../panels/panel-content.tsx'
import { panelTitles } from '../panels/panels.ts'
import { PlayerLike } from './player-like.tsx'
import { PlayerProblem } from './player-problem.tsx'
import { usePlayer } from '../playback/player-store.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import {
  closeFullPlayer,
  togglePanel,
  usePlayerView,
  type PlayerPanel,
} from '../playback/player-view.ts'
import { PreviewNotice } from './preview-notice.tsx'
import { roomTint } from '../playback/room-tint.ts'
import { SpotCard } from '../spots/spot-card.tsx'
import { SpotContent } from '../spots/spot-content.tsx'
import { SpotProgress } from '../spots/spot-progress.tsx'
import { SeekBar } from './seek-bar.tsx'
import { TrackAnnouncer } from './track-announcer.tsx'
import { TransportControls } from './transport-controls.tsx'
import { useSwipeDown } from './use-swipe-down.ts'
import { VolumeControl } from './volume-control.tsx'
import layout from '../../../base/ui/layout/layout.module.css'

export function FullPlayer({ track, open }: { track: PlayerTrack; open: boolean }) {
  const { present, props } = useModal(open, closeFullPlayer)
  const panel = usePlayerView((view) => view.fullPanel)
  const spot = usePlayer((state) => state.spot)
  const swipe = useSwipeDown(closeFullPlayer)
  return (
    <dialog
      {...props}
      className={styles.full}
      style={roomTint(track)}
      aria-label="Full player"
      data-player
      data-panel={panel ?? undefined}
    >
      {present && (
        <div className={styles.frame}>
          <Header swipe={swipe} />
          <div className={styles.stage}>
            <div className={styles.cover} {...(panel ? {} : swipe)}>
              {spot ? (
                <SpotContent active={spot} size="large" />
              ) : (
                <Cover
                  key={track.id}
                  url={track.cover_url}
                  tint={track.cover_tint}
                  placeholder={track.cover_placeholder}
                  title={track.title}
                  sizes={`${breakpoints['--below-tablet']} 90vw, 32rem`}
                  radius="large"
                  eager
                />
              )}
            </div>
            {panel && (
              <section className={styles.panel} aria-label={panelTitles[panel]}>
                <PanelContent panel={panel} track={track} />
              </section>
            )}
          </div>
          <Controls track={track} />
          <TrackAnnouncer />
          <Toasts active={open} />
        </div>
      )}
    </dialog>
  )
}

function Header({ swipe }: { swipe: ReturnType<typeof useSwipeDown> }) {
  const source = usePlayer((state) => state.source)
  return (
    <header className={styles.header} {...swipe}>
      <span className={styles.grip} aria-hidden="true" />
      <IconButton label="Close full player" onClick={closeFullPlayer}>
        <IconChevronDown />
      </IconButton>
      <p className={styles.source}>
        {source && (
          <>
            <span>Playing from</span> {source}
          </>
        )}
      </p>
    </header>
  )
}

function TrackLine({ track }: { track: PlayerTrack }) {
  return (
    <>
      <div className={layout.spread}>
        <div className={layout.shrink}>
          {/* Focused when the player opens, so that a screen reader starts with the title. */}
          <h2 className={styles.title} tabIndex={-1} data-autofocus>
            {track.title}
          </h2>
          <p className={styles.artist}>
            <ArtistLinks track={track} />
          </p>
          <AiBadge track={track} variant="words" /> <PremiumMark of={track} />
        </div>
        <PlayerLike track={track} />
      </div>
      <SeekBar track={track} size="large" />
    </>
  )
}

function Controls({ track }: { track: PlayerTrack }) {
  const isSpot = usePlayer((state) => state.spot !== null)
  return (
    <div className={styles.controls}>
      <PlayerProblem />
      <PreviewNotice />
      <SpotCard />
      {isSpot ? <SpotProgress /> : <TrackLine track={track} />}
      <TransportControls size="large" />
      <div className={styles.tools}>
        <PanelButton panel="lyrics">
          <IconMicrophone2 />
        </PanelButton>
        <div className={styles.volume}>
          <VolumeControl />
        </div>
        <PanelButton panel="settings">
          <IconAdjustmentsHorizontal />
        </PanelButton>
        <PanelButton panel="queue">
          <IconPlaylist />
        </PanelButton>
      </div>
    </div>
  )
}

function PanelButton({ panel, children }: { panel: PlayerPanel; children: ReactNode }) {
  const isOpen = usePlayerView((view) => view.fullPanel === panel)
  return (
    <IconButton label={panelTitles[panel]} pressed={isOpen} onClick={() => togglePanel(panel)}>
      {children}
    </IconButton>
  )
}
