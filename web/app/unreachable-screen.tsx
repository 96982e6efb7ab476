// Shown instead of a member screen when the server is unreachable and this device has nothing downloaded.
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { IconCloudOff } from '#web/base/ui/icons/icons.ts'
import { Button } from '../base/ui/controls/button.tsx'
import { EmptyState } from '../base/ui/display/empty-state.tsx'
import { useConnection } from '../base/api/connection.ts'
import styles from '../base/navigation/screen-error.module.css'
import { refreshSession, sessionQuery } from '../base/session/session.ts'

export function UnreachableScreen() {
  const queryClient = useQueryClient()
  const isOffline = useConnection(({ connection }) => connection === 'offline')
  const isRefetching = useIsFetching(sessionQuery) > 0
  return (
    <div className={styles.screen}>
      <EmptyState
        icon={<IconCloudOff />}
        isScreenHeading
        title={isOffline ? 'You are offline' : 'The server cannot be reached'}
        message="The music comes back with the connection. Premium members can download playlists for moments like this."
        action={
          <Button
            busy={isRefetching}
            onClick={() => {
              // Ignore failures: the screen stays as it is.
              refreshSession(queryClient).catch(() => {})
            }}
          >
            Retry
          </Button>
        }
      />
    </div>
  )
}
