// The page of an artist, with popular tracks, all tracks, appearances on other tracks, and related artists.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { IconMusic, IconUserOff } from '#web/base/ui/icons/icons.ts'
import { useCallback, useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { ArtistDetail } from '#contract/artists.ts'
import type { Track } from '#contract/tracks.ts'
import { ScreenProblem } from '../../base/navigation/screen-problem.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { fetchMoreTracks } from '../browse/fetch-more-tracks.ts'
import { CollectionHeadSkeleton } from '../catalogue/cards/collection-head.tsx'
import { ArtistCard, ArtistCards } from '../catalogue/cards/artist-card.tsx'
import { artistPath } from '../catalogue/artist-links.tsx'
import { PlayButtons } from '../catalogue/play-buttons.tsx'
import { artistOptions } from '../catalogue/queries/artist-queries.ts'
import { trackListOptions } from '../catalogue/queries/track-queries.ts'
import { TrackListSkeleton } from '../catalogue/track-list.tsx'
import { TrackActionsProvider } from '../catalogue/track-menu.tsx'
import { usePlayList } from '../catalogue/use-play-list.ts'
import { ArtistHead } from './artist-head.tsx'
import styles from './artist-page.module.css'
import { ArtistReleases } from './artist-releases.tsx'
import { ArtistTracks } from './artist-tracks.tsx'
import layout from '../../base/ui/layout/layout.module.css'

export function ArtistPage() {
  const { slug = '' } = useParams()
  const query = useQuery(artistOptions(slug))
  const navigate = useNavigate()
  const current = query.data?.slug
  useEffect(() => {
    // The URL has a former slug, or the id of a merged artist.
    if (current !== undefined && current !== slug) {
      void navigate(artistPath(current), { replace: true, preventScrollReset: true })
    }
  }, [current, slug, navigate])
  return (
    <TrackActionsProvider>
      <div className={layout.page}>
        {query.isPending && (
          <>
            <CollectionHeadSkeleton isRound />
            <TrackListSkeleton rows={5} />
          </>
        )}
        {query.isError && !query.data && (
          <ScreenProblem
            query={query}
            noun="artist"
            icon={<IconUserOff />}
            reason="This artist has no published music right now."
            list={{ to: '/browse?view=artists', label: 'All artists' }}
          />
        )}
        {query.data && <ArtistSections key={query.data.id} artist={query.data} />}
      </div>
    </TrackActionsProvider>
  )
}

function ArtistSections({ artist }: { artist: ArtistDetail }) {
  const { name, top_tracks, appears_on, related, biography } = artist
  const [showsAll, setShowsAll] = useState(false)
  const filters = { artist: artist.id }
  const all = useInfiniteQuery(trackListOptions(filters))
  const tracks = all.data?.pages.flatMap((page) => page.data) ?? []
  const nextCursor = all.data?.pages.at(-1)?.next_cursor ?? null
  const total = all.data?.pages[0]?.total ?? tracks.length
  const popularFirst = [
    ...top_tracks,
    ...tracks.filter(({ id }) => !top_tracks.some((top) => top.id === id)),
  ]
  const { start, isShuffling } = usePlayList({
    source: name,
    context: { kind: 'artist', id: artist.id },
    list: () => ({
      loaded: showsAll ? tracks : popularFirst,
      rest: nextCursor
        ? (signal) => fetchMoreTracks(filters, nextCursor, tracks.length, signal)
        : null,
    }),
  })
  const playRow = useCallback((index: number) => start({ startIndex: index }), [start])
  const isEmpty = top_tracks.length === 0 && appears_on.length === 0
  return (
    <>
      <ArtistHead artist={artist}>
        <PlayButtons
          disabled={top_tracks.length === 0}
          busy={isShuffling}
          onStart={start}
          radioSeed={{ kind: 'artist', id: artist.id }}
        />
      </ArtistHead>
      {isEmpty && <EmptyState icon={<IconMusic />} title="No music yet" />}
      {top_tracks.length > 0 && (
        <section className={styles.section} aria-label={showsAll ? 'All tracks' : 'Popular'}>
          <header className={styles.heading}>
            <h2 className={styles.title}>{showsAll ? 'All tracks' : 'Popular'}</h2>
            {total > top_tracks.length && (
              <Button variant="quiet" onClick={() => setShowsAll(!showsAll)}>
                {showsAll ? 'Show popular' : `Show all ${total.toLocaleString('en')}`}
              </Button>
            )}
          </header>
          <ArtistTracks
            label={showsAll ? `Tracks of ${name}` : `Popular tracks of ${name}`}
            tracks={showsAll ? tracks : top_tracks}
            total={showsAll ? total : top_tracks.length}
            onPlay={playRow}
            onEnd={() => {
              if (showsAll && all.hasNextPage && !all.isFetching && !all.isFetchNextPageError) {
                void all.fetchNextPage()
              }
            }}
          />
        </section>
      )}
      <ArtistReleases artist={artist} />
      {biography && <Biography name={name} text={biography} />}
      {appears_on.length > 0 && <Appearances name={name} tracks={appears_on} />}
      {related.length > 0 && (
        <section className={styles.section} aria-label="Related artists">
          <h2 className={styles.title}>Related artists</h2>
          <ArtistCards label="Related artists">
            {related.map((other) => (
              <li key={other.id}>
                <ArtistCard artist={other} />
              </li>
            ))}
          </ArtistCards>
        </section>
      )}
    </>
  )
}

/** The number of rows shown before the user presses Show more. */
const shortList = 5

function Appearances({ name, tracks }: { name: string; tracks: readonly Track[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const { start } = usePlayList({ source: name, list: () => ({ loaded: tracks, rest: null }) })
  const playRow = useCallback((index: number) => start({ startIndex: index }), [start])
  const shown = showsAll ? tracks : tracks.slice(0, shortList)
  return (
    <section className={styles.section} aria-label="Appears on">
      <header className={styles.heading}>
        <h2 className={styles.title}>Appears on</h2>
        {tracks.length > shortList && (
          <Button variant="quiet" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show less' : 'Show more'}
          </Button>
        )}
      </header>
      <ArtistTracks
        label={`Tracks that ${name} appears on`}
        tracks={shown}
        total={shown.length}
        onPlay={playRow}
      />
    </section>
  )
}

const shortLength = 420

function Biography({ name, text }: { name: string; text: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > shortLength
  return (
    <section className={styles.section} aria-label={`About ${name}`}>
      <h2 className={styles.title}>About</h2>
      <p className={styles.biography} data-short={(isLong && !isOpen) || undefined}>
        {text}
      </p>
      {isLong && (
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Read more'}
        </Button>
      )}
    </section>
  )
}
