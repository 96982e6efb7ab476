// The tracks of a release in order, with a heading for each disc.
import { IconVinyl } from '#web/base/ui/icons/icons.ts'
import { memo, useMemo } from 'react'
import type { ReleaseDetail, ReleaseTrack } from '#contract/releases.ts'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { TrackList } from '../catalogue/track-list.tsx'
import { TrackRowActions } from '../catalogue/track-row-actions.tsx'
import { TrackRow, TrackRowHeader } from '../catalogue/track-row.tsx'
import styles from './release-tracks.module.css'
import layout from '../../base/ui/layout/layout.module.css'

export interface ReleaseTracksProps {
  release: ReleaseDetail
  /** Called with the index in the entire release. */
  onPlay: (index: number) => void
}

interface Disc {
  disc: number
  /** Index of the disc's first track in the entire release. */
  firstIndex: number
  tracks: readonly ReleaseTrack[]
}

export function ReleaseTracks({ release, onPlay }: ReleaseTracksProps) {
  const discs = useMemo(() => groupByDisc(release.tracks), [release.tracks])
  return (
    <div className={layout.stack6} ref={keepRowFocus}>
      {discs.map(({ disc, firstIndex, tracks }, at) => {
        const name = discs.length > 1 ? `Disc ${disc}` : null
        return (
          <section key={disc} aria-label={name ?? undefined}>
            {name && (
              <h2 className={styles.disc}>
                <IconVinyl aria-hidden="true" />
                {name}
              </h2>
            )}
            <TrackList
              label={name ? `${name} of ${release.title}` : `Tracks of ${release.title}`}
              count={tracks.length}
              trackAt={(index) => tracks[index]}
              onRange={ignoreRange}
              onPlay={(index) => onPlay(firstIndex + index)}
              header={at === 0 && <TrackRowHeader facets={noFacets} numbered="instead of covers" />}
              renderRow={(track, index, inTabOrder) => (
                <Row
                  track={track as ReleaseTrack}
                  index={firstIndex + index}
                  {...{ inTabOrder, onPlay }}
                />
              )}
            />
          </section>
        )
      })}
    </div>
  )
}

const noFacets: readonly string[] = []
/** Nothing is loaded on scroll, because all tracks of a release are already loaded. */
const ignoreRange = () => {}

function groupByDisc(tracks: readonly ReleaseTrack[]): Disc[] {
  const discs: Disc[] = []
  for (const [index, track] of tracks.entries()) {
    const last = discs.at(-1)
    if (last?.disc === track.disc) last.tracks = [...last.tracks, track]
    else discs.push({ disc: track.disc, firstIndex: index, tracks: [track] })
  }
  return discs
}

interface RowProps {
  track: ReleaseTrack
  index: number
  inTabOrder: boolean
  onPlay: (index: number) => void
}

const Row = memo(function Row({ track, index, inTabOrder, onPlay }: RowProps) {
  const actions = useMemo(() => <TrackRowActions {...{ track, inTabOrder }} />, [track, inTabOrder])
  return (
    <TrackRow
      {...{ track, index, inTabOrder, onPlay, actions }}
      facets={noFacets}
      number={track.position}
      withoutCover
    />
  )
})
