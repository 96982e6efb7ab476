// The upload of one file in a form. It starts as soon as the file is selected. Saving the form waits for it.
import { useEffect, useRef, useState } from 'react'
import type { Bucket } from '#contract/uploads.ts'
import { ApiError } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { uploadFile } from '../../base/upload/upload-file.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

/** A completed upload, as a form draft stores it. */
export interface DraftFile {
  name: string
  path: string
}

type State =
  | { status: 'idle' }
  | { status: 'uploading'; name: string; share: number }
  | { status: 'done'; name: string; path: string }
  /** `retry` is null if the server rejected the file itself: sending the same file again would fail, too. */
  | { status: 'failed'; name: string; reason: string; retry: (() => void) | null }

export interface Upload {
  state: State
  /** URL of the selected image, for a preview. Null if no image is selected. */
  previewUrl: string | null
  choose: (file: File) => void
  clear: () => void
  /** The completed upload, to be stored in a form draft. */
  kept: DraftFile | null
  /**
   * Waits for the upload and returns its path. Returns undefined if no file is selected. Throws if the upload failed.
   */
  finish: () => Promise<string | undefined>
}

export function useUpload(bucket: Bucket, kept: DraftFile | null = null): Upload {
  const [state, setState] = useState<State>(kept ? { status: 'done', ...kept } : { status: 'idle' })
  const [previewUrl, setPreviewUrl] = useState<string | null>(null)
  const running = useRef<{ path: Promise<string>; abort: AbortController } | null>(null)

  function choose(file: File) {
    running.current?.abort.abort()
    const abort = new AbortController()
    const { name } = file
    if (bucket === 'covers') setPreviewUrl(URL.createObjectURL(file))
    const isCurrent = () => running.current?.abort === abort
    setState({ status: 'uploading', name, share: 0 })
    const path = uploadFile(file, {
      bucket,
      signal: abort.signal,
      onProgress: (share) => isCurrent() && setState({ status: 'uploading', name, share }),
    })
    running.current = { path, abort }
    path.then(
      (finished) => isCurrent() && setState({ status: 'done', name, path: finished }),
      (error: unknown) => {
        if (!isCurrent()) return
        const reason = errorText(error)
        setPreviewUrl(null)
        const retry = isPermanent(error) ? null : () => choose(file)
        setState({ status: 'failed', name, reason, retry })
        showToast({ tone: 'destructive', title: 'Upload failed', message: reason })
      },
    )
  }

  function clear() {
    running.current?.abort.abort()
    running.current = null
    setPreviewUrl(null)
    setState({ status: 'idle' })
  }

  // Abort the upload when the form is closed.
  useEffect(() => () => running.current?.abort.abort(), [])

  useEffect(() => {
    if (previewUrl) return () => URL.revokeObjectURL(previewUrl)
    return undefined
  }, [previewUrl])

  const done = state.status === 'done' ? { name: state.name, path: state.path } : null
  return {
    state,
    previewUrl,
    choose,
    clear,
    kept: done,
    finish: async () => done?.path ?? (await running.current?.path),
  }
}

/** Returns true if the server rejected the file itself, so that sending the same file again would fail, too. */
function isPermanent(error: unknown): boolean {
  return error instanceof ApiError && [400, 413, 415, 422].includes(error.status)
}
