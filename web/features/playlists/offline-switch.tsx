// The switch for downloading a playlist, a Premium feature.
import type { Playlist } from '#contract/playlists.ts'
import {
  downloadStatusText,
  useDownload,
  useDownloadRefusal,
  useToggleDownload,
} from '../offline/use-download.ts'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import styles from './offline-switch.module.css'

export function OfflineSwitch({ playlist }: { playlist: Playlist }) {
  const download = useDownload(playlist.id)
  const refusal = useDownloadRefusal()
  const toggle = useToggleDownload(playlist)
  // Optimistic update: the switch shows the pending choice.
  const isOn = toggle.isPending ? toggle.variables : download.state !== 'off'
  const isPartial = download.state === 'running' || download.state === 'waiting'
  return (
    <div className={styles.offline}>
      <Switch
        label="Download for Offline"
        hint={refusal ?? downloadStatusText(download) ?? 'Play it offline'}
        checked={isOn && refusal === null}
        disabled={refusal !== null}
        onChange={({ target }) => toggle.mutate(target.checked)}
      />
      {isPartial && download.total > 0 && (
        <ProgressBar label="Download" value={download.kept / download.total} />
      )}
    </div>
  )
}
