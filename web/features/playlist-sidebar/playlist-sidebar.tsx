// The sidebar with the member's playlists, beside music screens in wide windows. Tracks can be dropped on a playlist.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconLayoutSidebar, IconPlus } from '#web/base/ui/icons/icons.ts'
import { useDeferredValue, useState, type KeyboardEvent, type UIEvent } from 'react'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { SearchField } from '../../base/ui/controls/search-field.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { PlaylistActionsProvider, usePlaylistActions } from '../catalogue/playlist-actions.tsx'
import { playlistListOptions } from '../catalogue/queries/playlist-queries.ts'
import styles from './playlist-sidebar.module.css'
import { SidebarPlaylist } from './sidebar-playlist.tsx'
import { setFolded } from './sidebar-state.ts'

/** Longer lists get a search field. */
const searchableFrom = 12
/** The next page is fetched when the scroll position is this close to the end. */
const aheadPx = 600

export interface PlaylistSidebarProps {
  isFolded: boolean
  /** False while an open player panel keeps the sidebar collapsed. */
  canUnfold: boolean
}

export function PlaylistSidebar({ isFolded, canUnfold }: PlaylistSidebarProps) {
  return (
    <PlaylistActionsProvider>
      <aside
        className={styles.sidebar}
        data-folded={isFolded || undefined}
        aria-label="Your playlists"
      >
        <SidebarContent {...{ isFolded, canUnfold }} />
      </aside>
    </PlaylistActionsProvider>
  )
}

function SidebarContent({ isFolded, canUnfold }: PlaylistSidebarProps) {
  const { newPlaylist } = usePlaylistActions()
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const count =
    usePlaylists('own', '').playlists.length + usePlaylists('shared', '').playlists.length
  const label = isFolded ? 'Expand your playlists' : 'Collapse your playlists'
  return (
    <>
      <header className={styles.head}>
        {canUnfold && (
          <IconButton label={label} aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
            <IconLayoutSidebar />
          </IconButton>
        )}
        <h2 className={styles.heading}>Your playlists</h2>
        <IconButton label="Create playlist" onClick={() => newPlaylist()}>
          <IconPlus />
        </IconButton>
      </header>
      {count >= searchableFrom && (
        <div className={styles.search}>
          <SearchField
            label="Search your playlists"
            placeholder="Search"
            isLandmark={false}
            value={text}
            onChange={setText}
          />
        </div>
      )}
      <SidebarList q={isFolded ? '' : q} />
    </>
  )
}

/** The member's own playlists, including smart ones, followed by those that others share with the member. */
function SidebarList({ q }: { q: string }) {
  const own = usePlaylists('own', q)
  const shared = usePlaylists('shared', q)
  const [activeId, setActiveId] = useState<string>()
  const all = [...own.playlists, ...shared.playlists]
  const active = all.some(({ id }) => id === activeId) ? activeId : all[0]?.id

  function onScroll({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent) {
    if (scrollTop + clientHeight <= scrollHeight - aheadPx) return
    const list = own.hasNextPage ? own : shared
    if (list.hasNextPage && !list.isFetching) list.fetchNextPage()
  }
  if (own.isPending || shared.isPending) return <SidebarSkeleton />
  const rows = ({ playlists }: typeof own) =>
    playlists.map((playlist) => (
      <SidebarPlaylist
        key={playlist.id}
        playlist={playlist}
        inTabOrder={playlist.id === active}
        onFocus={() => setActiveId(playlist.id)}
      />
    ))
  return (
    <div
      className={styles.list}
      role="group"
      aria-label="Playlists"
      onScroll={onScroll}
      onKeyDown={moveFocus}
    >
      {own.failed && <Failed {...own}>Your playlists could not be loaded.</Failed>}
      <ul className={styles.rows} aria-label="Created by you">
        {rows(own)}
      </ul>
      {/* Render these after the last page of the member's own playlists, so that loading a page doesn't move them. */}
      {!own.hasNextPage && shared.playlists.length > 0 && (
        <>
          <h3 className={styles.subheading}>Shared with you</h3>
          <ul className={styles.rows} aria-label="Shared with you">
            {rows(shared)}
          </ul>
        </>
      )}
      {shared.failed && <Failed {...shared}>Shared playlists could not be loaded.</Failed>}
      {all.length === 0 && !own.failed && !shared.failed && (
        <p className={styles.note}>
          {q ? `No playlists match “${q}”.` : 'Playlists you create appear here.'}
        </p>
      )}
    </div>
  )
}

function usePlaylists(scope: 'own' | 'shared', q: string) {
  const list = useInfiniteQuery({
    ...playlistListOptions(scope, q),
    placeholderData: keepPreviousData,
  })
  const { isPending, isFetching, hasNextPage } = list
  const playlists = list.data?.pages.flatMap((page) => page.data) ?? []
  return {
    playlists,
    isPending,
    isFetching,
    hasNextPage,
    /** True if nothing could be loaded. */
    failed: list.isError && playlists.length === 0,
    fetchNextPage: () => void list.fetchNextPage(),
    retry: () => void list.refetch(),
  }
}

function Failed(props: { isFetching: boolean; retry: () => void; children: string }) {
  const { isFetching, retry, children } = props
  return (
    <div className={styles.note} role="alert">
      <p>{children}</p>
      <Button size="small" busy={isFetching} onClick={retry}>
        Retry
      </Button>
    </div>
  )
}

/** Moves the focus and stops the event: outside the list the arrow keys control the player. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  const to = {
    ArrowDown: Math.min(at + 1, links.length - 1),
    ArrowUp: Math.max(at - 1, 0),
    Home: 0,
    End: links.length - 1,
  }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  links[to]?.focus()
}

function SidebarSkeleton() {
  return (
    <div className={styles.list} aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        <span key={index} className={styles.skeleton}>
          <Skeleton width="44px" height="44px" />
          <Skeleton width="60%" shape="text" />
        </span>
      ))}
    </div>
  )
}
