// A row of recently played tracks, each playable with one click.
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '#web/base/ui/icons/icons.ts'
import type { Track } from '#contract/tracks.ts'
import { controlToReturnTo, findRowIndex } from '../catalogue/row-focus.ts'
import { TrackMenuButton } from '../catalogue/track-menu-button.tsx'
import { useTrackMenu } from '../catalogue/track-menu.tsx'
import { usePlayList } from '../catalogue/use-play-list.ts'
import { useRowMenu } from '../catalogue/use-row-menu.ts'
import { togglePlay } from '../player/playback/player-actions.ts'
import { useShowsEqualizer, useIsCurrent, useIsPlaying } from '../player/playback/player-store.ts'
import { ArtistLinks } from '../catalogue/artist-links.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { Equalizer } from '../../base/ui/display/equalizer.tsx'
import { ShelfRow, type ShelfRowProps } from '../../base/ui/lists/shelf.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import styles from './recently-played.module.css'

/** @param props.tracks never empty */
export function RecentlyPlayed(
  props: Pick<ShelfRowProps, 'setRow'> & { tracks: readonly Track[] },
) {
  const { tracks, setRow } = props
  const { start } = usePlayList({
    source: 'Recently played',
    list: () => ({ loaded: tracks, rest: null }),
  })
  const rowMenu = useRecentMenu(tracks)
  return (
    <ShelfRow size="tile" setRow={setRow} list={rowMenu}>
      {tracks.map((track, startIndex) => (
        <li key={track.id} className={styles.tile} data-row={startIndex}>
          <RecentTrack track={track} onPlay={() => start({ startIndex })} />
          <TrackMenuButton track={track} inTabOrder />
        </li>
      ))}
    </ShelfRow>
  )
}

/** Returns handlers that open the same track menu as in a row of a list. */
function useRecentMenu(tracks: readonly Track[]) {
  const trackMenu = useTrackMenu()
  return useRowMenu((target, anchorIn) => {
    const tile = target.closest('[data-row]')
    const track = tracks[findRowIndex(target) ?? -1]
    if (!tile || !track) return false
    const opener = controlToReturnTo(tile)
    trackMenu.open({ track, anchor: anchorIn(tile), align: 'start', opener })
    return true
  })
}

function RecentTrack({ track, onPlay }: { track: Track; onPlay: () => void }) {
  const isCurrent = useIsCurrent(track.id)
  const isPlaying = useIsPlaying(track.id)
  const hasEqualiser = useShowsEqualizer(track.id)
  return (
    <>
      <button
        type="button"
        className={styles.track}
        data-control="play"
        data-current={isCurrent || undefined}
        onClick={isCurrent ? togglePlay : onPlay}
      >
        <VisuallyHidden>{isPlaying ? 'Pause ' : 'Play '}</VisuallyHidden>
        <span className={styles.cover}>
          <Cover
            url={track.cover_url}
            tint={track.cover_tint}
            placeholder={track.cover_placeholder}
            title={track.title}
            sizes="56px"
          />
          <span className={styles.state} aria-hidden="true">
            <span className={styles.icon}>
              {isPlaying ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
            </span>
            {hasEqualiser && (
              <span className={styles.equalizer}>
                <Equalizer playing={isPlaying} />
              </span>
            )}
          </span>
        </span>
        <span className={styles.about}>
          <span className={styles.title}>{track.title}</span>
          <VisuallyHidden>{` by ${track.artist}`}</VisuallyHidden>
          <span className={styles.artist}>{'\u00a0'}</span>
        </span>
      </button>
      {/* Beside the button: a button cannot contain links. */}
      <span className={styles.artists}>
        <ArtistLinks track={track} />
      </span>
    </>
  )
}
