// The menu of a track for the rows of the queue: right click, long press, and the context menu key.
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { showError } from '../../../base/api/show-error.ts'
import { TrackActionsProvider, useTrackMenu } from '../../catalogue/track-menu.tsx'
import { useRowMenu } from '../../catalogue/use-row-menu.ts'
import { usePlayer } from '../playback/player-store.ts'
import styles from './queue-menu.module.css'
import { trackDetailOptions } from '../playback/track-detail.ts'

export function QueueMenu({ children }: { children: ReactNode }) {
  return (
    <TrackActionsProvider>
      <MenuOfRows>{children}</MenuOfRows>
    </TrackActionsProvider>
  )
}

function MenuOfRows({ children }: { children: ReactNode }) {
  const trackMenu = useTrackMenu()
  const queryClient = useQueryClient()
  const rowMenu = useRowMenu((target, anchorIn) => {
    const row = target.closest<HTMLElement>('[data-entry]')
    const entry = usePlayer
      .getState()
      .queue.entries.find(({ entry_id }) => String(entry_id) === row?.dataset['entry'])
    // A long press on the handle starts a drag.
    if (!row || !entry || target.closest('[data-handle]')) return false
    const opener = row.querySelector('button')
    const anchor = anchorIn(row)
    // The queue holds only the fields for playback, so load the full track.
    queryClient
      .ensureQueryData(trackDetailOptions(entry.track.id))
      .then((track) => trackMenu.open({ track, anchor, align: 'start', opener }))
      .catch(showError)
    return true
  })
  return (
    <div className={styles.rows} {...rowMenu}>
      {children}
    </div>
  )
}
