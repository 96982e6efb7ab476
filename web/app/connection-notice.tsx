// A line above the player while the server is unreachable or slow to respond. It also shows what still works.
import { useQueryClient } from '@tanstack/react-query'
import { IconCloudOff, IconHourglassEmpty, IconPlugConnectedX } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { useDownloads } from '../base/offline-store/download-store.ts'
import { Button } from '../base/ui/controls/button.tsx'
import { useConnection } from '../base/api/connection.ts'
import styles from './connection-notice.module.css'
import { ScreenLink } from '../base/navigation/screen-link.tsx'
import { useSlowQueries } from './use-slow-queries.ts'

export function ConnectionNotice() {
  const connection = useConnection((state) => state.connection)
  const hasDownloads = useDownloads(({ playlists }) => playlists.length > 0)
  return (
    <div role="status">
      {connection === 'online' ? (
        <SlowNotice />
      ) : (
        <Notice icon={connection === 'offline' ? <IconCloudOff /> : <IconPlugConnectedX />}>
          <span>
            <strong>
              {connection === 'offline' ? 'You are offline' : 'The server cannot be reached'}
            </strong>
            {hasDownloads && (
              <>
                {' · '}
                <ScreenLink to="/my-playlists">Play your downloads</ScreenLink>
              </>
            )}
          </span>
        </Notice>
      )}
    </div>
  )
}

function SlowNotice() {
  const queryClient = useQueryClient()
  const slow = useSlowQueries()
  if (slow.length === 0) return null
  const retry = async () => {
    for (const queryKey of slow) await queryClient.cancelQueries({ queryKey, exact: true })
    for (const queryKey of slow) void queryClient.refetchQueries({ queryKey, exact: true })
  }
  return (
    <Notice icon={<IconHourglassEmpty />}>
      <span>
        <strong>Slow connection</strong> · Still waiting
      </span>
      <Button size="small" onClick={() => void retry()}>
        Retry
      </Button>
    </Notice>
  )
}

function Notice({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.notice}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      {children}
    </div>
  )
}
