// The edit screen for one draft. Nothing is sent before Save Changes.
import { useMemo, useState } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { ApiError } from '../../base/api/api.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { showError } from '../../base/api/show-error.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { useKeptDraft, useUnsavedForm } from '../../base/forms/use-unsaved-form.ts'
import { isShared } from '../catalogue/queries/playlist-role.ts'
import { useUpdatePlaylist } from '../catalogue/queries/playlist-queries.ts'
import { UpgradeDialog, type UpgradeReason } from '../catalogue/upgrade-dialog.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { useOthersChanges } from '../shared-playlists/use-others-changes.ts'
import { EditTracksCard } from './edit-tracks-card.tsx'
import styles from './edit-playlist.module.css'
import {
  draftChanges,
  toStoredEdit,
  rebaseDraft,
  restoreDraft,
  startDraft,
  type StoredEdit,
  type PlaylistDraft,
} from './playlist-draft.ts'
import { fetchAllTracks } from './playlist-tracks.ts'
import { PlaylistInfoCard } from './playlist-info-card.tsx'

export type ChangeDraft = (change: (draft: PlaylistDraft) => PlaylistDraft) => void

export function EditPlaylist({ playlist, tracks }: { playlist: Playlist; tracks: Track[] }) {
  const key = `playlist:${playlist.id}`
  const kept = useKeptDraft<StoredEdit>(key)
  const [saved, setSaved] = useState(() => startDraft(playlist, tracks))
  const [draft, setDraft] = useState(() => (kept ? restoreDraft(saved, kept) : saved))
  const [isRestored, setIsRestored] = useState(kept !== null)
  const { form, problems, showProblems } = useProblems<{ title: string }, HTMLDivElement>()
  const [isUploading, setIsUploading] = useState(false)
  const [upgrade, setUpgrade] = useState<UpgradeReason | null>(null)
  const update = useUpdatePlaylist(playlist.id)
  const changes = useMemo(() => draftChanges(saved, draft), [saved, draft])
  const data = useMemo(() => toStoredEdit(saved, draft), [saved, draft])
  const isUnsaved = changes !== null
  const unsaved = useUnsavedForm({ key, what: 'this playlist', isUnsaved, data })
  useOthersChanges(playlist, fetchAllTracks, (newest, newTracks) => {
    const next = startDraft(newest, newTracks)
    setSaved(next)
    setDraft((now) => rebaseDraft(now, saved, next))
  })

  function discard() {
    setDraft(saved)
    setIsRestored(false)
    unsaved.saved()
  }

  async function save() {
    if (showProblems({ title: draft.title.trim() ? undefined : 'Title is required' })) return
    try {
      const answer = changes && (await update.mutateAsync(changes))
      // Another member or another device may have changed the tracks in the meantime.
      const isMerged = answer && (isShared(answer) || answer.track_count !== draft.tracks.length)
      const storedTracks = isMerged ? await fetchAllTracks(answer) : draft.tracks
      const next = { ...draft, title: draft.title.trim(), cover_path: null, tracks: storedTracks }
      setSaved(next)
      setIsRestored(false)
      // Edits made during the save are kept for the next save.
      setDraft((newest) => (newest === draft ? next : rebaseDraft(newest, draft, next)))
      showToast({ tone: 'success', title: 'Changes saved successfully' })
    } catch (error) {
      const isLimit = error instanceof ApiError && error.code === 'track_limit_reached'
      if (isLimit) setUpgrade('tracks-while-editing')
      else showError(error)
    }
  }

  return (
    <>
      <EditHeader
        isUnsaved={isUnsaved}
        busy={update.isPending || isUploading}
        onSave={() => void save()}
      />
      <RestoredNote isShown={isRestored && isUnsaved} onDiscard={discard} />
      <div ref={form} className={styles.cards}>
        {playlist.is_own && (
          <PlaylistInfoCard
            {...{ playlist, draft }}
            titleError={problems.title}
            onChange={(change) => {
              showProblems({})
              setDraft(change)
            }}
            onUploading={setIsUploading}
          />
        )}
        <EditTracksCard
          draft={draft}
          onChange={setDraft}
          onLimitReached={() => setUpgrade('tracks-while-editing')}
        />
      </div>
      <UpgradeDialog reason={upgrade} onClose={() => setUpgrade(null)} />
    </>
  )
}

interface EditHeaderProps {
  isUnsaved: boolean
  busy: boolean
  onSave: () => void
}

function EditHeader({ isUnsaved, busy, onSave }: EditHeaderProps) {
  return (
    <header className={styles.header}>
      <div>
        <h1 className={styles.title}>Edit Playlist</h1>
        <p className={styles.state} role="status">
          {isUnsaved ? 'Unsaved changes' : 'All changes saved'}
        </p>
      </div>
      <Button variant="primary" busy={busy} onClick={onSave}>
        Save Changes
      </Button>
    </header>
  )
}
