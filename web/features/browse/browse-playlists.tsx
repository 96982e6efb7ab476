// The Playlists view of Browse: the user's own, shared, curated and other members' public playlists.
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconPlaylist, IconPlus } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { errorText } from '../../base/api/show-error.ts'
import {
  PlaylistCard,
  PlaylistCards,
  PlaylistCardsSkeleton,
} from '../catalogue/cards/playlist-card.tsx'
import { playlistListOptions, type PlaylistScope } from '../catalogue/queries/playlist-queries.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import styles from './browse-playlists.module.css'

export function BrowsePlaylists({ title }: { title: string }) {
  const own = usePlaylistsOf('own')
  const shared = usePlaylistsOf('shared')
  const curated = usePlaylistsOf('curated')
  const open = usePlaylistsOf('public')
  // Render a section only once the height of the sections above it is known, so that nothing shifts.
  return (
    <>
      <header className={styles.header}>
        <h1 className={styles.title}>{title}</h1>
        <ButtonLink to="/my-playlists" variant="primary" icon={<IconPlus />}>
          New Playlist
        </ButtonLink>
      </header>
      <PlaylistSection
        list={own}
        heading="Your playlists"
        empty={
          <EmptyState
            icon={<IconPlaylist />}
            title="No playlists yet"
            message="Create one for the tracks you keep coming back to."
          />
        }
      />
      {!own.isPending && !shared.isError && (
        <PlaylistSection list={shared} heading="Shared with you" />
      )}
      {!own.isPending && <PlaylistSection list={curated} heading="Curated playlists" />}
      {!own.isPending && !curated.isPending && (
        <PlaylistSection list={open} heading="Public playlists" />
      )}
    </>
  )
}

const usePlaylistsOf = (scope: PlaylistScope) => useInfiniteQuery(playlistListOptions(scope))

interface PlaylistSectionProps {
  list: ReturnType<typeof usePlaylistsOf>
  heading: string
  /** Text of an empty section. If absent, an empty section is not rendered. */
  empty?: ReactNode
}

function PlaylistSection({ list, heading, empty }: PlaylistSectionProps) {
  const playlists = list.data?.pages.flatMap((page) => page.data) ?? []
  if (list.isSuccess && playlists.length === 0 && !empty) return null
  return (
    <section className={styles.section} aria-label={heading}>
      <h2 className={styles.heading}>{heading}</h2>
      {list.isPending && <PlaylistCardsSkeleton />}
      {list.isError && playlists.length === 0 && (
        <ErrorState
          title="These playlists could not be loaded"
          message={errorText(list.error)}
          busy={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && playlists.length === 0 && empty}
      {playlists.length > 0 && (
        <PlaylistCards label={heading}>
          {playlists.map((playlist) => (
            <li key={playlist.id}>
              <PlaylistCard playlist={playlist} to={`/my-playlists/${playlist.id}`} />
            </li>
          ))}
        </PlaylistCards>
      )}
      {list.hasNextPage && (
        <div className={styles.more}>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </section>
  )
}
