// The releases on an artist's page, newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ArtistDetail } from '#contract/artists.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { PlaylistCards } from '../catalogue/cards/playlist-card.tsx'
import { releaseListOptions } from '../catalogue/queries/release-queries.ts'
import { ReleaseCard } from '../catalogue/cards/release-card.tsx'
import styles from './artist-page.module.css'

/** Renders nothing if the artist has no releases. */
export function ArtistReleases({ artist: { id, name } }: { artist: ArtistDetail }) {
  const list = useInfiniteQuery(releaseListOptions({ artist: id, limit: 24 }))
  const releases = list.data?.pages.flatMap((page) => page.data) ?? []
  if (releases.length === 0) return null
  return (
    <section className={styles.section} aria-label="Releases">
      <h2 className={styles.title}>Releases</h2>
      <PlaylistCards label={`Releases of ${name}`}>
        {releases.map((release) => (
          <li key={release.id}>
            <ReleaseCard release={release} withoutArtist />
          </li>
        ))}
      </PlaylistCards>
      {list.hasNextPage && (
        <Button
          variant="quiet"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </section>
  )
}
