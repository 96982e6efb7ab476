// The lyrics. With timestamps, the current line is highlighted and kept in view, and a click on a line seeks to it.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { AiBadge } from '../../catalogue/ai-badge.tsx'
import { EmptyState } from '../../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../../base/ui/display/error-state.tsx'
import styles from './lyrics-panel.module.css'
import { PanelSkeleton } from './panel-skeleton.tsx'
import { seekTo } from '../playback/player-actions.ts'
import { usePlayer } from '../playback/player-store.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import { findLineIndex, parseLyrics, type LyricLine, type Lyrics } from './timed-lyrics.ts'
import { trackDetailOptions } from '../playback/track-detail.ts'
import { useFollowLine } from './use-follow-line.ts'

export function LyricsPanel({ track }: { track: PlayerTrack }) {
  return (
    <>
      <p className={styles.disclosure}>
        <AiBadge track={track} variant="words" />
      </p>
      <LyricsOfTrack track={track} />
    </>
  )
}

function LyricsOfTrack({ track }: { track: PlayerTrack }) {
  const { data, isPending, isError, refetch } = useQuery(trackDetailOptions(track.id))
  const lyrics = useMemo(() => parseLyrics(data?.lyrics ?? ''), [data?.lyrics])
  if (isPending) return <PanelSkeleton />
  if (isError) {
    return <ErrorState title="The lyrics could not be loaded" onRetry={() => void refetch()} />
  }
  if (lyrics.lines.length === 0) {
    return <EmptyState title="No lyrics" message="There are no lyrics for this track." />
  }
  return lyrics.isTimed ? (
    <TimedLyrics key={track.id} lyrics={lyrics} />
  ) : (
    <div className={styles.lyrics} tabIndex={0} role="group" aria-label="Lyrics">
      {lyrics.lines.map(({ text }, at) => (
        <p key={at} className={styles.plain}>
          {text}
        </p>
      ))}
    </div>
  )
}

function TimedLyrics({ lyrics }: { lyrics: Lyrics }) {
  const current = usePlayer((state) => findLineIndex(lyrics, state.positionSeconds))
  const { box, onScrollIntent } = useFollowLine(current)
  return (
    <div
      ref={box}
      className={styles.lyrics}
      data-timed
      onWheel={onScrollIntent}
      onTouchMove={onScrollIntent}
    >
      {lyrics.lines.map((line, at) => (
        <Line key={at} line={line} isCurrent={at === current} />
      ))}
    </div>
  )
}

function Line({ line: { seconds, text }, isCurrent }: { line: LyricLine; isCurrent: boolean }) {
  if (text === '') return <span className={styles.rest} aria-hidden="true" />
  return (
    <button
      type="button"
      className={styles.line}
      aria-current={isCurrent || undefined}
      onClick={() => seekTo(seconds ?? 0)}
    >
      {text}
    </button>
  )
}
