// The full player as members with a given plan see it. Its Play button plays the audio that they would hear.
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '#web/base/ui/icons/icons.ts'
import { useRef } from 'react'
import type { TrackDetail } from '#contract/tracks.ts'
import { AiBadge } from '../../features/catalogue/ai-badge.tsx'
import { formatDuration } from '../../base/format/format-duration.ts'
import { playTracks, togglePlay } from '../../features/player/playback/player-actions.ts'
import { selectTrack, usePlayer } from '../../features/player/playback/player-store.ts'
import { toPlayerTrack, type PlayerTrack } from '../../features/player/queue/player-track.ts'
import { roomTint } from '../../features/player/playback/room-tint.ts'
import { parseLyrics } from '../../features/player/panels/timed-lyrics.ts'
import { Waveform } from '../../features/player/bar/waveform.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { breakpoints } from '../../base/ui/theme/breakpoints.ts'
import styles from './member-view.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function MemberStage({ track, isPremium }: { track: TrackDetail; isPremium: boolean }) {
  const played = memberTrack(track, isPremium)
  const isPreview = played.audio_url !== track.audio_url
  const part = isPreview && track.duration > 0 ? played.duration / track.duration : 1
  const wave = useRef<SVGSVGElement>(null)
  return (
    <section className={styles.stage} style={roomTint(track)} aria-label="Player as a member">
      <div className={styles.cover}>
        <Cover
          url={track.cover_url}
          tint={track.cover_tint}
          placeholder={track.cover_placeholder}
          title={track.title}
          sizes={`${breakpoints['--below-tablet']} 60vw, 240px`}
          radius="large"
        />
      </div>
      <div className={styles.player}>
        <h4 className={styles.title}>{track.title}</h4>
        <p className={styles.artist}>{track.artist}</p>
        <p className={styles.badges}>
          {track.explicit && <Badge>Explicit</Badge>}
          <AiBadge track={track} />
          {isPreview && <Badge tone="gold">Preview Mode ({played.duration}s)</Badge>}
        </p>
        <div className={styles.wave}>
          <Waveform played={wave} peaks={track.peaks} part={part} />
        </div>
        <div className={styles.times} data-numeric>
          <span>0:00</span>
          <PlayAsMember played={played} isPremium={isPremium} />
          <span>{formatDuration(played.duration)}</span>
        </div>
        <p className={textStyles.softSmall}>{describeAudio(track, isPremium, isPreview)}</p>
      </div>
      <Lyrics text={track.lyrics} />
    </section>
  )
}

/**
 * Returns the track with the file and the length for the given plan, so that an admin hears what these members hear.
 */
function memberTrack(track: TrackDetail, isPremium: boolean): PlayerTrack {
  const whole = toPlayerTrack({ ...track, preview_url: null, preview_seconds: null })
  if (isPremium || track.preview_url === null) return whole
  const duration = track.preview_seconds ?? track.duration
  return { ...whole, audio_url: track.preview_url, duration }
}

function describeAudio(track: TrackDetail, isPremium: boolean, isPreview: boolean): string {
  if (isPremium) return 'The full track in high quality.'
  if (!isPreview) return 'The full track in standard quality, because it has no preview.'
  return `The first ${track.preview_seconds} seconds, then an offer to upgrade.`
}

function PlayAsMember({ played, isPremium }: { played: PlayerTrack; isPremium: boolean }) {
  const isCurrent = usePlayer((state) => selectTrack(state)?.audio_url === played.audio_url)
  const isPlaying = usePlayer((state) => state.playing) && isCurrent
  const plan = isPremium ? 'Premium' : 'Free'
  return (
    <IconButton
      variant="primary"
      size="large"
      label={`${isPlaying ? 'Pause' : 'Play'} as a ${plan} member`}
      onClick={() => (isCurrent ? togglePlay() : playTracks([played], { source: played.title }))}
    >
      {isPlaying ? <IconPlayerPauseFilled /> : <IconPlayerPlayFilled />}
    </IconButton>
  )
}

function Lyrics({ text }: { text: string | null }) {
  const { lines } = parseLyrics(text ?? '')
  if (lines.length === 0) return null
  return (
    <div className={styles.lyrics} role="group" aria-label="Lyrics" tabIndex={0}>
      {lines.map((line, at) => (
        <p key={at}>{line.text || '\u00a0'}</p>
      ))}
    </div>
  )
}
