// Buttons that open the smart playlist editor.
import { useState } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import { IconLock, IconSparkles } from '#web/base/ui/icons/icons.ts'
import { usePlaylistActions } from '../catalogue/playlist-actions.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { SmartPlaylistDialog } from './smart-playlist-dialog.tsx'

/** Opens the editor for a new smart playlist. At the plan's limit a click shows the upgrade dialog. */
export function NewSmartPlaylistButton({ onCreated }: { onCreated: (id: string) => void }) {
  const { playlistsAreFull, showUpgrade } = usePlaylistActions()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        icon={playlistsAreFull ? <IconLock /> : <IconSparkles />}
        aria-disabled={playlistsAreFull || undefined}
        onClick={() => (playlistsAreFull ? showUpgrade('playlists') : setIsOpen(true))}
      >
        Smart Playlist
      </Button>
      <SmartPlaylistDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        onSaved={({ id }) => {
          setIsOpen(false)
          onCreated(id)
        }}
      />
    </>
  )
}

export function EditRulesButton({ playlist }: { playlist: Playlist }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button icon={<IconSparkles />} onClick={() => setIsOpen(true)}>
        Edit Rules
      </Button>
      <SmartPlaylistDialog open={isOpen} playlist={playlist} onClose={close} onSaved={close} />
    </>
  )
}
