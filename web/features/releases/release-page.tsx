// One release: its head, its tracks by disc, and other releases of its first artist.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { IconVinyl } from '#web/base/ui/icons/icons.ts'
import { useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { ReleaseDetail } from '#contract/releases.ts'
import { ScreenProblem } from '../../base/navigation/screen-problem.tsx'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { CollectionHeadSkeleton } from '../catalogue/cards/collection-head.tsx'
import { PlaylistCards } from '../catalogue/cards/playlist-card.tsx'
import {
  releaseListOptions,
  releaseOptions,
  tracksForPlayer,
} from '../catalogue/queries/release-queries.ts'
import { ReleaseCard } from '../catalogue/cards/release-card.tsx'
import { TrackListSkeleton } from '../catalogue/track-list.tsx'
import { TrackActionsProvider } from '../catalogue/track-menu.tsx'
import { usePlayList } from '../catalogue/use-play-list.ts'
import { SimilarToRelease } from '../browse/similar-tracks.tsx'
import { ReleaseFacts } from './release-facts.tsx'
import { ReleaseHead } from './release-head.tsx'
import styles from './release-page.module.css'
import { ReleaseTracks } from './release-tracks.tsx'
import layout from '../../base/ui/layout/layout.module.css'

export function ReleasePage() {
  const { slug = '' } = useParams()
  const release = useQuery(releaseOptions(slug))
  const navigate = useNavigate()
  const current = release.data?.slug
  useEffect(() => {
    // The URL has a former slug, or an id.
    if (current !== undefined && current !== slug) {
      void navigate(`/releases/${current}`, { replace: true, preventScrollReset: true })
    }
  }, [current, slug, navigate])
  return (
    <TrackActionsProvider>
      <div className={layout.page}>
        {release.isPending && (
          <>
            <CollectionHeadSkeleton />
            <TrackListSkeleton />
          </>
        )}
        {release.isError && !release.data && (
          <ScreenProblem
            query={release}
            noun="release"
            icon={<IconVinyl />}
            reason="It may have been removed or not been released yet."
            list={{ to: '/browse?view=releases', label: 'All releases' }}
          />
        )}
        {release.data && <OpenRelease key={release.data.id} release={release.data} />}
      </div>
    </TrackActionsProvider>
  )
}

function OpenRelease({ release }: { release: ReleaseDetail }) {
  useDocumentTitle(release.artist ? `${release.title} by ${release.artist}` : release.title)
  const { start } = usePlayList({
    source: release.title,
    context: { kind: 'release', id: release.id },
    list: () => ({ loaded: tracksForPlayer(release), rest: null }),
  })
  return (
    <>
      <ReleaseHead release={release} onStart={start} />
      <ReleaseTracks release={release} onPlay={(startIndex) => start({ startIndex })} />
      <ReleaseFacts release={release} />
      <MoreReleases release={release} />
      <SimilarToRelease id={release.id} />
    </>
  )
}

const shelfSize = 7

function MoreReleases({ release: { id, artists } }: { release: ReleaseDetail }) {
  const artist = artists[0]
  const { data } = useInfiniteQuery({
    ...releaseListOptions({ ...(artist && { artist: artist.id }), limit: shelfSize }),
    enabled: artist !== undefined,
  })
  const others = data?.pages[0]?.data.filter((other) => other.id !== id).slice(0, shelfSize - 1)
  if (!artist || !others?.length) return null
  const heading = `More by ${artist.name}`
  return (
    <section className={styles.more}>
      <h2 className={styles.heading}>{heading}</h2>
      <PlaylistCards label={heading}>
        {others.map((other) => (
          <li key={other.id}>
            <ReleaseCard release={other} withoutArtist />
          </li>
        ))}
      </PlaylistCards>
    </section>
  )
}
