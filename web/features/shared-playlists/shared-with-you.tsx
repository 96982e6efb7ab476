// Playlists that others share with the user. Renders nothing if there are none.
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  PlaylistCard,
  PlaylistCards,
  type PlaylistLayout,
} from '../catalogue/cards/playlist-card.tsx'
import { playlistListOptions } from '../catalogue/queries/playlist-queries.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import styles from './shared-with-you.module.css'

export interface SharedWithYouProps {
  q?: string
  layout?: PlaylistLayout
  onOpen: (id: string) => void
}

export function SharedWithYou({ q = '', layout = 'grid', onOpen }: SharedWithYouProps) {
  const list = useInfiniteQuery(playlistListOptions('shared', q))
  const playlists = list.data?.pages.flatMap((page) => page.data) ?? []
  if (playlists.length === 0) return null
  return (
    <section className={styles.section} aria-label="Shared with you">
      <h2 className={styles.heading}>Shared with you</h2>
      <PlaylistCards layout={layout} label="Shared with you">
        {playlists.map((playlist) => (
          <li key={playlist.id}>
            <PlaylistCard {...{ playlist, layout }} onOpen={() => onOpen(playlist.id)} />
          </li>
        ))}
      </PlaylistCards>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  )
}
