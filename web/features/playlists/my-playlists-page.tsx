// The user's own playlists, and one of them opened in place. The URL holds the open playlist and whether it is being
// edited, so that the back button and a reload work.
import { useSearchParams } from 'react-router'
import { TrackActionsProvider } from '../catalogue/track-menu.tsx'
import { InvitationDialog } from '../shared-playlists/invitation-dialog.tsx'
import { MyPlaylists } from './my-playlists.tsx'
import { OpenPlaylist } from './open-playlist.tsx'

export function MyPlaylistsPage() {
  const [address, setAddress] = useSearchParams()
  const id = address.get('playlist')
  const isEditing = address.get('mode') === 'edit'
  const open = (playlist: string) => setAddress({ playlist })
  return (
    <TrackActionsProvider>
      {id ? (
        <OpenPlaylist
          key={id}
          id={id}
          isEditing={isEditing}
          onEdit={(editing) =>
            setAddress(editing ? { playlist: id, mode: 'edit' } : { playlist: id }, {
              replace: true,
              preventScrollReset: true,
            })
          }
          onBack={() => setAddress({})}
        />
      ) : (
        <MyPlaylists onOpen={open} />
      )}
      <InvitationDialog />
    </TrackActionsProvider>
  )
}
