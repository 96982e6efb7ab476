// Downloads a playlist to this device; the button also shows the progress.
import {
  IconAlertTriangle,
  IconCircleCheckFilled,
  IconDownload,
  IconLock,
  IconPlayerPause,
} from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Spinner } from '../../base/ui/controls/spinner.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import {
  downloadStatusText,
  useDownload,
  useDownloadRefusal,
  useToggleDownload,
  type Download,
} from './use-download.ts'

const icons: Record<Download['state'], ReactNode> = {
  off: <IconDownload />,
  running: <Spinner />,
  waiting: <IconPlayerPause />,
  full: <IconAlertTriangle />,
  failed: <IconAlertTriangle />,
  done: <IconCircleCheckFilled />,
}

const nothing: Download = { state: 'off', kept: 0, total: 0, bytes: 0 }

export interface DownloadButtonProps {
  playlist: Playlist
  /** True if the playlist represents a release. */
  isRelease?: boolean
}

export function DownloadButton({ playlist, isRelease = false }: DownloadButtonProps) {
  const download = useDownload(playlist.id)
  const refusal = useDownloadRefusal()
  const toggle = useToggleDownload(playlist, isRelease)
  const isOn = download.state !== 'off'
  if (refusal !== null) return <RefusedButton reason={refusal} />
  return (
    <Button
      variant="quiet"
      icon={icons[download.state]}
      busy={toggle.isPending}
      aria-pressed={isOn}
      aria-description={downloadStatusText(download) ?? undefined}
      data-tooltip={isOn ? (downloadStatusText(download) ?? undefined) : 'Download for Offline'}
      onClick={() => toggle.mutate(!isOn)}
    >
      <StatusLabel download={download} />
    </Button>
  )
}

/** Shown when downloading is not possible. The button is marked as disabled, but a click shows the reason. */
function RefusedButton({ reason }: { reason: string }) {
  return (
    <Button
      variant="quiet"
      icon={<IconLock />}
      aria-disabled
      aria-description={reason}
      data-tooltip={reason}
      onClick={() => showToast({ title: 'Download for Offline', message: reason })}
    >
      <StatusLabel download={nothing} />
    </Button>
  )
}

/** Shows the state of the download as a short text. Screen readers get the full text. */
function StatusLabel({ download: { state, kept, total } }: { download: Download }) {
  if (state === 'off' || state === 'done') {
    return (
      <>
        {state === 'off' ? 'Download' : 'Downloaded'}
        <VisuallyHidden> for Offline</VisuallyHidden>
      </>
    )
  }
  return (
    <>
      <VisuallyHidden>Download for Offline: </VisuallyHidden>
      {state === 'full' && 'Storage full · '}
      {state === 'failed' && 'Failed · '}
      {kept} of {total}
    </>
  )
}
