// Uploads files and folders that are dropped anywhere on the screen. Shows a hint while they are dragged over the
// window.
import { IconUpload } from '#web/base/ui/icons/icons.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { formatCount } from '../../base/format/format-duration.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { collectDropped } from './queue/collect-files.ts'
import styles from './upload-drop-zone.module.css'
import type { FoundFile } from './queue/upload-item.ts'
import { addUploads } from './queue/upload-store.ts'

export const uploadPath = '/admin/library/upload'

export function UploadDropZone() {
  const addFiles = useAddUploads()
  const onDropped = useEffectEvent((transfer: DataTransfer) => addFiles(collectDropped(transfer)))
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    let depth = 0
    const isForUs = (event: DragEvent) =>
      event.dataTransfer?.types.includes('Files') === true &&
      // Ignore drops on a dialog, which has its own file fields.
      !(event.target instanceof Element && event.target.closest('dialog'))
    const on = (
      name: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      act: (event: DragEvent) => void,
    ) => document.addEventListener(name, (event) => isForUs(event) && act(event), { signal })
    on('dragenter', (event) => {
      event.preventDefault()
      depth += 1
      setIsOver(true)
    })
    on('dragover', (event) => event.preventDefault())
    on('dragleave', () => {
      depth -= 1
      if (depth <= 0) setIsOver(false)
    })
    on('drop', (event) => {
      event.preventDefault()
      depth = 0
      setIsOver(false)
      if (event.dataTransfer) void onDropped(event.dataTransfer)
    })
    return () => listening.abort()
  }, [])

  if (!isOver) return null
  return (
    <div className={styles.overlay} role="status">
      <span className={styles.words}>
        <IconUpload aria-hidden="true" />
        Drop files or folders to upload them
      </span>
    </div>
  )
}

/** Returns a function that adds files to the upload list and opens the Upload screen. */
export function useAddUploads(): (coming: FoundFile[] | Promise<FoundFile[]>) => Promise<void> {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return async (coming) => {
    const found = await coming
    if (found.length === 0) {
      const message = 'It contains no files.'
      showToast({ tone: 'destructive', title: 'Nothing to upload', message })
      return
    }
    if (pathname !== uploadPath) void navigate(uploadPath)
    const alreadyListedCount = await addUploads(found)
    if (alreadyListedCount > 0) {
      showToast({
        title: `${formatCount(alreadyListedCount, 'file is', 'files are')} already in the list`,
      })
    }
  }
}
