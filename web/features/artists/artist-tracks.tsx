// A list of tracks on an artist's page, with the same rows as other track lists.
import { useQuery } from '@tanstack/react-query'
import { memo, useCallback, useMemo } from 'react'
import type { Track } from '#contract/tracks.ts'
import { categoriesQuery } from '../catalogue/queries/categories-query.ts'
import { categoriesOf } from '../catalogue/track-categories.ts'
import { TrackList } from '../catalogue/track-list.tsx'
import { TrackRow, TrackRowHeader } from '../catalogue/track-row.tsx'
import { TrackRowActions } from '../catalogue/track-row-actions.tsx'

const facetNames = ['Genre', 'Category']
/** Fetch the next page this many rows before the end. */
const aheadRows = 30

export interface ArtistTracksProps {
  label: string
  tracks: readonly Track[]
  total: number
  onPlay: (index: number) => void
  /** Called when the visible rows approach the end of the loaded tracks. */
  onEnd?: () => void
}

export function ArtistTracks({ label, tracks, total, onPlay, onEnd }: ArtistTracksProps) {
  const { data: categories } = useQuery(categoriesQuery)
  const categoryName = useCallback(
    (slug: string | null) =>
      categories?.find(({ category }) => category === slug)?.display_name ?? null,
    [categories],
  )
  return (
    <TrackList
      label={label}
      count={tracks.length}
      total={total}
      trackAt={(index) => tracks[index]}
      onPlay={onPlay}
      header={<TrackRowHeader facets={facetNames} numbered />}
      onRange={(_, last) => {
        if (last >= tracks.length - aheadRows) onEnd?.()
      }}
      renderRow={(track, index, inTabOrder) => (
        <ArtistTrackRow {...{ track, index, inTabOrder, categoryName, onPlay }} />
      )}
    />
  )
}

interface ArtistTrackRowProps {
  track: Track
  index: number
  inTabOrder: boolean
  categoryName: (slug: string | null) => string | null
  onPlay: (index: number) => void
}

const ArtistTrackRow = memo(function ArtistTrackRow(props: ArtistTrackRowProps) {
  const { track, index, inTabOrder, categoryName, onPlay } = props
  const { genre } = track
  const facets = useMemo(
    () => [
      genre,
      categoriesOf(track)
        .flatMap((slug) => categoryName(slug) ?? [])
        .join(', ') || null,
    ],
    [genre, track, categoryName],
  )
  const actions = useMemo(
    () => <TrackRowActions track={track} inTabOrder={inTabOrder} />,
    [track, inTabOrder],
  )
  return <TrackRow {...{ track, index, inTabOrder, facets, onPlay, actions }} number={index + 1} />
})
