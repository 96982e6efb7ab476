// The members of a shared playlist. The owner creates invitation links, changes roles and removes members. Others
// only see the list.
import { useQuery } from '@tanstack/react-query'
import type { Playlist } from '#contract/playlists.ts'
import { memberRoles } from '#contract/shared-playlists.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { MemberList } from './member-list.tsx'
import styles from './share-dialog.module.css'
import { membersOptions } from './shared-playlist-queries.ts'

export interface ShareDialogProps {
  playlist: Playlist
  open: boolean
  onClose: () => void
}

export function ShareDialog({ playlist, open, onClose }: ShareDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={playlist.is_own ? 'Share this playlist' : 'Shared with'}
      description={
        playlist.is_own
          ? "People with access can see each other's name and picture, but not email addresses."
          : undefined
      }
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <People playlist={playlist} />
    </Dialog>
  )
}

function People({ playlist }: { playlist: Playlist }) {
  const members = useQuery(membersOptions(playlist.id))
  if (members.isPending) return <PeopleSkeleton />
  if (members.isError) {
    return (
      <ErrorState
        title="The list of people could not be loaded"
        message={errorText(members.error)}
        busy={members.isFetching}
        onRetry={() => void members.refetch()}
      />
    )
  }
  const { data, invitations } = members.data
  return (
    <div className={styles.parts}>
      <section aria-label="People">
        <h3 className={styles.heading}>People</h3>
        <MemberList playlist={playlist} members={data} />
        {data.length === 1 && (
          <p className={styles.hint}>No one else has joined yet. Create a link and share it.</p>
        )}
      </section>
      {playlist.is_own && (
        <section aria-label="Links">
          <h3 className={styles.heading}>Links</h3>
          {memberRoles
            .filter((role) => role === 'viewer' || !playlist.is_smart)
            .map((role) => (
              <InvitationLink
                key={role}
                playlistId={playlist.id}
                role={role}
                invitation={invitations.find((one) => one.role === role)}
              />
            ))}
        </section>
      )}
    </div>
  )
}

function PeopleSkeleton() {
  return (
    <div className={styles.parts} aria-busy="true">
      <Skeleton height="3.5rem" />
      <Skeleton height="3.5rem" />
      <Skeleton height="3.5rem" />
    </div>
  )
}
