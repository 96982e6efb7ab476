// One file on its way to the server. It starts when it is chosen; saving waits for its end.
import { useEffect, useRef, useState } from 'react'
import type { Bucket } from '#contract/uploads.ts'
import { errorText } from '../app/show-error.ts'
import { uploadFile } from '../app/upload-file.ts'
import { showToast } from '../ui/toast-store.ts'

type State =
  | { status: 'idle' }
  | { status: 'uploading'; file: File; share: number }
  | { status: 'done'; file: File }
  | { status: 'failed'; file: File; reason: string }

export interface Upload {
  state: State
  /** The chosen file as it will look; for pictures. */
  previewUrl: string | null
  choose: (file: File) => void
  clear: () => void
  /** The path that names the file in the operation; undefined without a file. Throws what failed. */
  finish: () => Promise<string | undefined>
}

export function useUpload(bucket: Bucket): Upload {
  const [state, setState] = useState<State>({ status: 'idle' })
  const [previewUrl, setPreviewUrl] = useState<string | null>(null)
  const running = useRef<{ path: Promise<string>; abort: AbortController } | null>(null)

  function choose(file: File) {
    running.current?.abort.abort()
    const abort = new AbortController()
    if (bucket === 'covers') setPreviewUrl(URL.createObjectURL(file))
    const isCurrent = () => running.current?.abort === abort
    setState({ status: 'uploading', file, share: 0 })
    const path = uploadFile(file, {
      bucket,
      signal: abort.signal,
      onProgress: (share) => isCurrent() && setState({ status: 'uploading', file, share }),
    })
    running.current = { path, abort }
    path.then(
      () => isCurrent() && setState({ status: 'done', file }),
      (error: unknown) => {
        if (!isCurrent()) return
        const reason = errorText(error)
        setState({ status: 'failed', file, reason })
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

  // Leaving the form gives up what it had begun.
  useEffect(() => () => running.current?.abort.abort(), [])

  useEffect(() => {
    if (previewUrl) return () => URL.revokeObjectURL(previewUrl)
    return undefined
  }, [previewUrl])

  return { state, previewUrl, choose, clear, finish: async () => running.current?.path }
}
