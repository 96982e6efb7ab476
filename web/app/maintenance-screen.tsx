// Shown to everyone but admins during maintenance. Polls, so that the app returns automatically.
import { useQuery } from '@tanstack/react-query'
import { IconTool } from '#web/base/ui/icons/icons.ts'
import { EmptyState } from '../base/ui/display/empty-state.tsx'
import styles from '../base/navigation/screen-error.module.css'
import { siteQuery } from '../base/session/site.ts'

const pollMs = 30_000

export function MaintenanceScreen() {
  useQuery({ ...siteQuery, refetchInterval: pollMs })
  return (
    <div className={styles.screen}>
      <EmptyState
        icon={<IconTool />}
        title="We are making things better"
        isScreenHeading
        message="Please come back in a little while. This page reopens automatically; your music and playlists are safe."
      />
    </div>
  )
}
