// Profile card: the downloads on this device with their size and a remove button, and installing the app.
import { useQuery } from '@tanstack/react-query'
import { IconDeviceMobileDown, IconTrash } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { Profile } from '#contract/profiles.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { showError } from '../../base/api/show-error.ts'
import { useSite } from '../../base/session/site.ts'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { removeAllDownloads } from '../../base/offline-store/remove-downloads.ts'
import { formatMegabytes } from './format-megabytes.ts'
import { takeInstallOffer, useInstallOffer } from './install-offer.ts'
import { supportsDownloads } from './supports-downloads.ts'
import { useDownloads } from '../../base/offline-store/download-store.ts'
import type { DownloadedPlaylist } from '../../base/offline-store/offline-db.ts'
import styles from './offline-music-card.module.css'
import { downloadStatusText, useDownload, useToggleDownload } from './use-download.ts'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function OfflineMusicCard({ profile }: { profile: Profile }) {
  const playlists = useDownloads((state) => state.playlists)
  return (
    <Card
      ref={keepRowFocus}
      title="Offline music"
      actions={playlists.length > 0 && <RemoveAllButton />}
    >
      {playlists.length > 0 ? (
        <ul className={styles.playlists} aria-label="Downloaded playlists">
          {playlists.map((kept) => (
            <DownloadRow key={kept.id} kept={kept} />
          ))}
        </ul>
      ) : (
        <p className={textStyles.soft}>{emptyText(profile)}</p>
      )}
      {playlists.length > 0 && <StorageUsage />}
      <InstallRow />
    </Card>
  )
}

function emptyText({ is_premium }: Profile): string {
  if (!is_premium) return 'With Premium, you can download music and play it offline.'
  if (!supportsDownloads) return 'This browser does not support downloads.'
  return "No downloads yet. To play music offline, choose Download on a playlist or in a track's menu."
}

function DownloadRow({ kept: { id, playlist } }: { kept: DownloadedPlaylist }) {
  const download = useDownload(id)
  const toggle = useToggleDownload(playlist)
  return (
    <li className={styles.row}>
      <span className={styles.cover}>
        <PlaylistCover playlist={playlist} sizes="48px" radius="small" />
      </span>
      <div className={layout.grow}>
        <ScreenLink to={`/my-playlists/${id}`} className={styles.name}>
          {playlist.title}
        </ScreenLink>
        <p className={textStyles.faintDigits}>{downloadStatusText(download)}</p>
      </div>
      <IconButton
        label={`Remove download of ${playlist.title}`}
        data-control="remove"
        busy={toggle.isPending}
        onClick={() => toggle.mutate(false)}
      >
        <IconTrash />
      </IconButton>
    </li>
  )
}

function RemoveAllButton() {
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const removeAll = () => {
    setConfirmOpen(false)
    removeAllDownloads().then(
      () => showToast({ tone: 'success', title: 'All downloads removed' }),
      (error: unknown) => showError(error),
    )
  }
  return (
    <>
      <Button size="small" icon={<IconTrash />} onClick={() => setConfirmOpen(true)}>
        Remove all
      </Button>
      <ConfirmDialog
        open={isConfirmOpen}
        title="Remove all downloads?"
        message="The downloads are deleted from this device. Your playlists stay unchanged."
        confirmLabel="Remove All"
        onConfirm={removeAll}
        onCancel={() => setConfirmOpen(false)}
      />
    </>
  )
}

/** Shows the space that downloads use. Counts each track once, even if several playlists contain it. */
function StorageUsage() {
  const usedBytes = useDownloads(({ trackBytes }) => sum(trackBytes.values()))
  const { data: freeBytes } = useQuery({
    queryKey: ['offline', 'room', usedBytes] as const,
    queryFn: async () => {
      // `navigator.storage` is absent in WebKitGTK.
      const storage = navigator.storage as StorageManager | undefined
      if (!storage) return null
      const { quota = 0, usage = 0 } = await storage.estimate()
      return Math.max(0, quota - usage)
    },
  })
  return (
    <p className={textStyles.faintDigits}>
      {formatMegabytes(usedBytes)} used
      {typeof freeBytes === 'number' && ` · ${formatMegabytes(freeBytes)} free for downloads`}
    </p>
  )
}

function InstallRow() {
  const { brand_name } = useSite()
  const offer = useInstallOffer((state) => state.offer)
  if (!offer) return null
  return (
    <div className={styles.install}>
      <p className={textStyles.soft}>
        Install {brand_name} to open it from your home screen in its own window.
      </p>
      <Button icon={<IconDeviceMobileDown />} onClick={() => void takeInstallOffer()}>
        Install app
      </Button>
    </div>
  )
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
