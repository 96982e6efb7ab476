// The upload of an archive. It continues while other screens are open. The import itself then runs on the server.
import { create } from 'zustand'
import { startImport } from '#contract/admin/imports.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { uploadFile } from '../../base/upload/upload-file.ts'

interface ArchiveUpload {
  /** File name of the upload in progress; null when there is none. */
  name: string | null
  /** 0 to 1. */
  share: number
  /** Error of the last upload. */
  problem: string | null
}

const nothing: ArchiveUpload = { name: null, share: 0, problem: null }

export const useArchiveUpload = create<ArchiveUpload>(() => nothing)

let sending: AbortController | null = null

/** Uploads the archive and starts its import. Resolves to false if it failed or was cancelled. */
export async function sendArchive(file: File): Promise<boolean> {
  if (sending) return false
  const own = new AbortController()
  sending = own
  useArchiveUpload.setState({ name: file.name, share: 0, problem: null })
  addEventListener('beforeunload', warn, { signal: own.signal })
  try {
    const archive_path = await uploadFile(file, {
      bucket: 'archives',
      signal: own.signal,
      onProgress: (share) => useArchiveUpload.setState({ share }),
    })
    await call(startImport, { body: { archive_path } })
    useArchiveUpload.setState(nothing)
    return true
  } catch (error) {
    const problem = own.signal.aborted ? null : errorText(error)
    useArchiveUpload.setState({ ...nothing, problem })
    return false
  } finally {
    own.abort()
    sending = null
  }
}

export function cancelArchive(): void {
  sending?.abort()
}

/** Closing the window would end the upload. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
