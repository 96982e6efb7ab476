// The playlist's title, description, cover and visibility.
import {
  playlistDescriptionMaxLength,
  playlistTitleMaxLength,
  type Playlist,
} from '#contract/playlists.ts'
import { CoverPicker } from '../catalogue/cover-picker.tsx'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import { PublicSwitch } from '../catalogue/sharing/public-switch.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import type { ChangeDraft } from './edit-playlist.tsx'
import { OfflineSwitch } from './offline-switch.tsx'
import styles from './playlist-info-card.module.css'
import type { PlaylistDraft } from './playlist-draft.ts'

export interface PlaylistInfoCardProps {
  playlist: Playlist
  draft: PlaylistDraft
  titleError: string | undefined
  onChange: ChangeDraft
  onUploading: (isUploading: boolean) => void
}

export function PlaylistInfoCard(props: PlaylistInfoCardProps) {
  const { playlist, draft, titleError, onChange, onUploading } = props
  return (
    <Card title="Playlist Info">
      <div className={styles.fields}>
        <div className={styles.cover}>
          <CoverPicker
            label="Upload cover"
            title={draft.title}
            onUploading={onUploading}
            onUploaded={(cover_path) => {
              onChange((now) => ({ ...now, cover_path }))
              showToast({ tone: 'success', title: 'Cover uploaded successfully' })
            }}
          >
            <PlaylistCover playlist={playlist} sizes="240px" radius="large" eager />
          </CoverPicker>
        </div>
        <TextField
          label="Title"
          maxLength={playlistTitleMaxLength}
          value={draft.title}
          error={titleError}
          onChange={({ target }) => onChange((now) => ({ ...now, title: target.value }))}
        />
        <TextArea
          label="Description"
          maxLength={playlistDescriptionMaxLength}
          value={draft.description}
          onChange={({ target }) => onChange((now) => ({ ...now, description: target.value }))}
        />
        <PublicSwitch
          playlist={playlist}
          checked={draft.is_public}
          onChange={(is_public) => onChange((now) => ({ ...now, is_public }))}
        />
        <OfflineSwitch playlist={playlist} />
      </div>
    </Card>
  )
}
