// The edit screen around one draft. Nothing leaves it before Save Changes; leaving it asks first.
import { useRef, useState } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { ApiError } from '../app/api.ts'
import { LeaveDialog } from '../app/leave-dialog.tsx'
import { showError } from '../app/show-error.ts'
import { useUpdatePlaylist } from '../catalogue/playlist-queries.ts'
import { UpgradeDialog, type UpgradeReason } from '../catalogue/upgrade-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toast-store.ts'
import { EditTracksCard } from './edit-tracks-card.tsx'
import styles from './edit-playlist.module.css'
import { draftChanges, startDraft, type PlaylistDraft } from './playlist-draft.ts'
import { PlaylistInfoCard } from './playlist-info-card.tsx'

export type ChangeDraft = (change: (draft: PlaylistDraft) => PlaylistDraft) => void

export function EditPlaylist({ playlist, tracks }: { playlist: Playlist; tracks: Track[] }) {
  const [saved, setSaved] = useState(() => startDraft(playlist, tracks))
  const [draft, setDraft] = useState(saved)
  const [titleError, setTitleError] = useState<string>()
  const [isUploading, setIsUploading] = useState(false)
  const [upgrade, setUpgrade] = useState<UpgradeReason | null>(null)
  const titleField = useRef<HTMLInputElement>(null)
  const update = useUpdatePlaylist(playlist.id)
  const changes = draftChanges(saved, draft)

  async function save() {
    if (draft.title.trim() === '') {
      setTitleError('Title is required')
      titleField.current?.focus()
      return
    }
    try {
      if (changes) await update.mutateAsync(changes)
      const now = { ...draft, title: draft.title.trim(), cover_path: null }
      setSaved(now)
      // What was typed while it was being saved is the next change.
      setDraft((newest) => {
        if (newest === draft) return now
        return newest.cover_path === draft.cover_path ? { ...newest, cover_path: null } : newest
      })
      showToast({ tone: 'success', title: 'Changes saved successfully' })
    } catch (error) {
      const isLimit = error instanceof ApiError && error.code === 'track_limit_reached'
      if (isLimit) setUpgrade('tracks-while-editing')
      else showError(error)
    }
  }

  return (
    <>
      <header className={styles.header}>
        <div>
          <h1 className={styles.title}>Edit Playlist</h1>
          <p className={styles.state} role="status">
            {changes ? 'Unsaved changes' : 'Everything is saved'}
          </p>
        </div>
        <Button
          variant="primary"
          busy={update.isPending || isUploading}
          onClick={() => void save()}
        >
          Save Changes
        </Button>
      </header>
      <div className={styles.cards}>
        <PlaylistInfoCard
          {...{ playlist, draft, titleError, titleField }}
          onChange={(change) => {
            setTitleError(undefined)
            setDraft(change)
          }}
          onUploading={setIsUploading}
        />
        <EditTracksCard
          draft={draft}
          onChange={setDraft}
          onLimitReached={() => setUpgrade('tracks-while-editing')}
        />
      </div>
      <LeaveDialog isUnsaved={changes !== null} what="this playlist" />
      <UpgradeDialog reason={upgrade} onClose={() => setUpgrade(null)} />
    </>
  )
}
