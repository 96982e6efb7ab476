// Shows all of the user's playlists: grid or list, search, and the New Playlist button.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import {
  IconLayoutGrid,
  IconList,
  IconLock,
  IconPlaylist,
  IconPlus,
} from '#web/base/ui/icons/icons.ts'
import { useDeferredValue, useState } from 'react'
import { errorText } from '../../base/api/show-error.ts'
import { usePlaylistActions } from '../catalogue/playlist-actions.tsx'
import {
  PlaylistCard,
  PlaylistCards,
  PlaylistCardsSkeleton,
  type PlaylistLayout,
} from '../catalogue/cards/playlist-card.tsx'
import { playlistListOptions } from '../catalogue/queries/playlist-queries.ts'
import { SharedWithYou } from '../shared-playlists/shared-with-you.tsx'
import { useConnection } from '../../base/api/connection.ts'
import { OfflinePlaylists } from './offline-playlists.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { SearchField } from '../../base/ui/controls/search-field.tsx'
import styles from './my-playlists.module.css'
import { NewSmartPlaylistButton } from '../smart-playlists/smart-playlist-buttons.tsx'
import { UpgradeCard } from './upgrade-card.tsx'
import { usePlaylistLayout } from './use-playlist-layout.ts'

export function MyPlaylists({ onOpen }: { onOpen: (id: string) => void }) {
  const { playlistsAreFull } = usePlaylistActions()
  const [layout, setLayout] = usePlaylistLayout()
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const isOnline = useConnection(({ connection }) => connection === 'online')
  const list = useOwnPlaylists(q)
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title}>My Playlists</h1>
        <div className={styles.tools}>
          <div className={styles.search}>
            <SearchField
              label="Search playlists"
              placeholder="Search playlists..."
              value={text}
              onChange={setText}
            />
          </div>
          <LayoutToggle layout={layout} onChange={setLayout} />
          <NewSmartPlaylistButton onCreated={onOpen} />
          <NewPlaylistButton />
        </div>
      </header>
      <PlaylistResults {...{ list, q, layout, onOpen }} />
      {/* Rendered after the section above, so that this section doesn't shift. */}
      {isOnline && !list.isPending && <SharedWithYou {...{ q, layout, onOpen }} />}
      {playlistsAreFull && <UpgradeCard />}
    </div>
  )
}

function useOwnPlaylists(q: string) {
  return useInfiniteQuery({
    ...playlistListOptions('own', q),
    placeholderData: keepPreviousData,
  })
}

function PlaylistResults(props: {
  list: ReturnType<typeof useOwnPlaylists>
  q: string
  layout: PlaylistLayout
  onOpen: (id: string) => void
}) {
  const { list, q, layout, onOpen } = props
  const isOnline = useConnection(({ connection }) => connection === 'online')
  const playlists = list.data?.pages.flatMap((page) => page.data) ?? []
  if (!isOnline) return <OfflinePlaylists {...{ q, layout, playlists }} />
  if (list.isPending) return <PlaylistCardsSkeleton layout={layout} />
  if (list.isError && playlists.length === 0) {
    return (
      <ErrorState
        title="Your playlists could not be loaded"
        message={errorText(list.error)}
        busy={list.isFetching}
        onRetry={() => void list.refetch()}
      />
    )
  }
  if (playlists.length === 0) return <NoPlaylists q={q} />
  return (
    <>
      <PlaylistCards layout={layout} label="My Playlists">
        {playlists.map((playlist) => (
          <li key={playlist.id}>
            <PlaylistCard {...{ playlist, layout }} onOpen={() => onOpen(playlist.id)} />
          </li>
        ))}
      </PlaylistCards>
      {list.hasNextPage && (
        <div className={styles.more}>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}

function NoPlaylists({ q }: { q: string }) {
  return q ? (
    <EmptyState
      icon={<IconPlaylist />}
      title="No playlists found"
      message={`None of your playlists match “${q}”.`}
    />
  ) : (
    <EmptyState
      icon={<IconPlaylist />}
      title="No playlists yet"
      message="Create a playlist to collect your favorite tracks."
      action={<NewPlaylistButton />}
    />
  )
}

/**
 * Opens the form for a new playlist. At the plan's limit the button is marked as disabled, and a click shows the
 * reason.
 */
function NewPlaylistButton() {
  const { newPlaylist, playlistsAreFull } = usePlaylistActions()
  return (
    <Button
      variant={playlistsAreFull ? 'secondary' : 'primary'}
      icon={playlistsAreFull ? <IconLock /> : <IconPlus />}
      aria-disabled={playlistsAreFull || undefined}
      onClick={() => newPlaylist()}
    >
      New Playlist
    </Button>
  )
}

function LayoutToggle(props: {
  layout: PlaylistLayout
  onChange: (layout: PlaylistLayout) => void
}) {
  const { layout, onChange } = props
  return (
    <div className={styles.layout} role="group" aria-label="Layout">
      <IconButton label="Grid" pressed={layout === 'grid'} onClick={() => onChange('grid')}>
        <IconLayoutGrid />
      </IconButton>
      <IconButton label="List" pressed={layout === 'list'} onClick={() => onChange('list')}>
        <IconList />
      </IconButton>
    </div>
  )
}
