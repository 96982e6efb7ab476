// One file in the upload list, with its progress, error and actions.
import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconCopy,
  IconFileMusic,
  IconFileText,
  IconMinus,
  IconPhoto,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '#web/base/ui/icons/icons.ts'
import { memo, type ReactNode } from 'react'
import type { ImportedTrack } from '#contract/admin/track-imports.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { PlayButton } from '../listen/play-track.tsx'
import { formatBytes } from '../shared/format/format-bytes.ts'
import type { UploadActivity, UploadItem } from './queue/upload-item.ts'
import styles from './upload-row.module.css'
import { uploadQueue } from './queue/upload-store.ts'
import layout from '../../base/ui/layout/layout.module.css'

export interface UploadRowProps {
  item: UploadItem
  activity: UploadActivity | undefined
  /** True if the file is not available since a reload and has to be dropped again. */
  isFileMissing: boolean
  /** The track that was created from the file. Undefined until it is loaded. */
  track: ImportedTrack | undefined
}

export const UploadRow = memo(function UploadRow(props: UploadRowProps) {
  const { item, track } = props
  const folder = item.path.slice(0, item.path.length - item.name.length)
  const state = getRowState(props)
  return (
    <div className={styles.row} data-tone={state.tone}>
      <span className={styles.icon} aria-hidden="true">
        {state.icon}
      </span>
      <div className={layout.shrink}>
        <p className={styles.name}>
          {folder && <span className={styles.folder}>{folder}</span>}
          {item.name}
        </p>
        <p className={styles.state}>{state.text}</p>
        {state.share !== undefined && (
          <ProgressBar label={`Progress of ${item.name}`} value={state.share} />
        )}
      </div>
      <span className={styles.size}>{formatBytes(item.byteSize)}</span>
      <span className={styles.actions}>
        {track?.processing_status === 'ready' && <PlayButton track={track} source="Upload many" />}
        <RowActions item={item} />
      </span>
    </div>
  )
})

interface RowState {
  icon: ReactNode
  text: ReactNode
  share?: number
  tone?: 'success' | 'danger' | 'faint' | 'active'
}

function getRowState({ item, activity, isFileMissing, track }: UploadRowProps): RowState {
  switch (item.stage) {
    case 'left_out':
      return { icon: <IconMinus />, text: `Skipped: ${item.reason}`, tone: 'faint' }
    case 'cover':
      return { icon: <IconPhoto />, text: 'Cover for the tracks in this folder', tone: 'success' }
    case 'side':
      return {
        icon: <IconFileText />,
        text: 'Text for the recording of the same name',
        tone: 'success',
      }
    case 'failed':
      return { icon: <IconAlertTriangle />, text: item.reason, tone: 'danger' }
    case 'known':
      return { icon: <IconCopy />, text: describeDuplicate(item) }
    case 'arrived':
      return getArrivedState(track)
    case 'waiting':
      return getWaitingState(item, activity, isFileMissing)
  }
}

const knownLabels = {
  recording: 'Already in the library:',
  source: 'The same song, saved again:',
  sound: 'Sounds like an existing track:',
} as const

function describeDuplicate({ known }: UploadItem): ReactNode {
  if (!known?.id) return `Same as “${known?.title ?? ''}” in this upload`
  return (
    <>
      {knownLabels[known.by ?? 'recording']}{' '}
      <ScreenLink to={`/admin/library?edit=${known.id}`}>{known.title}</ScreenLink>
    </>
  )
}

function getArrivedState(track: ImportedTrack | undefined): RowState {
  if (!track) return { icon: <IconCheck />, text: 'Uploaded', tone: 'success' }
  const link = <ScreenLink to={`/admin/library?edit=${track.id}`}>{track.title}</ScreenLink>
  switch (track.processing_status) {
    case 'ready':
      return { icon: <IconCheck />, text: <>Ready: {link}</>, tone: 'success' }
    case 'failed':
      return {
        icon: <IconAlertTriangle />,
        text: (
          <>
            {track.processing_error ?? 'Processing failed'} {link}
          </>
        ),
        tone: 'danger',
      }
    case 'pending':
      return { icon: <IconFileMusic />, text: 'Uploaded, waiting to be processed' }
    case 'processing': {
      const percent = Math.round(track.processing_progress * 100)
      return { icon: <IconFileMusic />, text: `Uploaded, processing ${percent} %` }
    }
  }
}

function getWaitingState(
  item: UploadItem,
  activity: UploadActivity | undefined,
  isFileMissing: boolean,
): RowState {
  if (item.isPaused) return { icon: <IconPlayerPause />, text: 'Paused' }
  if (isFileMissing) return { icon: <IconClock />, text: 'File needed again' }
  if (!activity) return { icon: <IconClock />, text: 'Waiting', tone: 'faint' }
  const share = item.byteSize > 0 ? activity.bytes / item.byteSize : 0
  const icon = <IconFileMusic />
  switch (activity.step) {
    case 'reading':
      return { icon, text: 'Checking for duplicates', tone: 'faint' }
    case 'creating':
      return { icon, text: 'Creating the track', share: 1, tone: 'active' }
    case 'retrying':
      return { icon: <IconClock />, text: 'Waiting for the network', share }
    case 'sending': {
      const speed = activity.bytesPerSecond
      const parts = [`${Math.round(share * 100)} %`, speed && `${formatBytes(speed)}/s`]
      return { icon, text: parts.filter(Boolean).join(' · '), share, tone: 'active' }
    }
  }
}

function RowActions({ item }: { item: UploadItem }) {
  const { id, name, stage } = item
  const queue = uploadQueue()
  const remove = (
    <IconButton
      size="small"
      label={stage === 'waiting' ? `Cancel ${name}` : `Remove ${name} from the list`}
      onClick={() => void queue?.cancel([id])}
    >
      <IconX />
    </IconButton>
  )
  switch (stage) {
    case 'waiting':
      return (
        <>
          <IconButton
            size="small"
            label={item.isPaused ? `Resume ${name}` : `Pause ${name}`}
            onClick={() => (item.isPaused ? queue?.resume([id]) : queue?.pause([id]))}
          >
            {item.isPaused ? <IconPlayerPlay /> : <IconPlayerPause />}
          </IconButton>
          {remove}
        </>
      )
    case 'failed':
      return (
        <>
          <IconButton
            size="small"
            label={`Retry ${name}`}
            data-tooltip="Retry"
            onClick={() => void queue?.retry(id)}
          >
            <IconRefresh />
          </IconButton>
          {remove}
        </>
      )
    case 'known':
      return (
        <>
          <Button
            size="small"
            aria-label={`Upload anyway: ${name}`}
            onClick={() => queue?.sendAnyway(id)}
          >
            Upload Anyway
          </Button>
          {item.known?.id && (
            <Button
              size="small"
              variant="quiet"
              aria-label={`Replace the recording of ${item.known.title} by ${name}`}
              onClick={() => queue?.replaceKnown(id)}
            >
              Replace
            </Button>
          )}
          {remove}
        </>
      )
    case 'cover':
    case 'side':
      return remove
    case 'arrived':
    case 'left_out':
      return null
  }
}
