// Plays a back-office track in the player of the app. Rendered as a button on a row's cover, or as a plain button. The
// list that contains the track becomes the queue, so Next plays the row below.
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '#web/base/ui/icons/icons.ts'
import { playTracks, togglePlay } from '../../features/player/playback/player-actions.ts'
import { useIsCurrent, useIsPlaying } from '../../features/player/playback/player-store.ts'
import { Cover } from '../../base/ui/display/cover.tsx'
import { Equalizer } from '../../base/ui/display/equalizer.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { canAudition, toAudition, type AuditionTrack } from './audition-track.ts'
import styles from './play-track.module.css'

export interface PlayTrackProps {
  track: AuditionTrack
  /** The list that contains the track. Without it, only this track is queued. */
  list?: readonly AuditionTrack[]
  /** The name of the list, shown in the queue panel. */
  source: string
}

export function PlayCover({ sizes, ...props }: PlayTrackProps & { sizes: string }) {
  const { track } = props
  const play = usePlayTrack(props)
  return (
    <span className={styles.cover} data-current={play.isCurrent || undefined}>
      <Cover
        url={track.cover_url}
        tint={track.cover_tint}
        placeholder={track.cover_placeholder}
        title={track.title}
        sizes={sizes}
      />
      <button
        type="button"
        className={styles.play}
        data-control="play"
        aria-label={play.label}
        data-tooltip={play.tooltip}
        disabled={!play.isPlayable}
        onClick={play.toggle}
      >
        {play.isCurrent && (
          <span className={styles.equalizer}>
            <Equalizer playing={play.isPlaying} />
          </span>
        )}
        <span className={styles.icon} aria-hidden="true">
          {play.isPlaying ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
        </span>
      </button>
    </span>
  )
}

export function PlayButton(props: PlayTrackProps) {
  const play = usePlayTrack(props)
  return (
    <IconButton size="small" label={play.label} disabled={!play.isPlayable} onClick={play.toggle}>
      {play.isPlaying ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
    </IconButton>
  )
}

function usePlayTrack({ track, list = [track], source }: PlayTrackProps) {
  const isCurrent = useIsCurrent(track.id)
  const isPlaying = useIsPlaying(track.id)
  const isPlayable = isCurrent || canAudition(track)
  function toggle() {
    if (isCurrent) return togglePlay()
    const playable = list.filter(canAudition)
    const startIndex = playable.findIndex(({ id }) => id === track.id)
    playTracks(playable.map(toAudition), { startIndex, shuffle: false, source })
  }
  return {
    isCurrent,
    isPlaying,
    isPlayable,
    toggle,
    label: `${isPlaying ? 'Pause' : 'Play'} ${track.title} by ${track.artist}`,
    tooltip: isPlayable ? undefined : 'Available after processing',
  }
}
