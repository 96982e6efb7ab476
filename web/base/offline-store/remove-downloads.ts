// Ends access to downloads. They are deleted when the user signs out, loses Premium or the lease expires. They are
// locked when the server reports that nobody is signed in. Invariant: downloads in progress are aborted first, so
// nothing is written afterwards.
import { deleteFiles } from './download-files.ts'
import { hasDownloadMark, setDownloadMark } from './download-mark.ts'
import { announceDownloads, noDownloads, useDownloads } from './download-store.ts'
import { hasIndexedDb, deleteEverything, readFact, writeFact } from './offline-db.ts'

let controller = new AbortController()

/** Returns a signal that is aborted when the current downloads must end. */
export function getDownloadSignal(): AbortSignal {
  return controller.signal
}

/** Aborts all downloads of this window. */
export function abortDownloads(): void {
  controller.abort()
  controller = new AbortController()
}

/** Deletes files, lists and the user's name. */
export async function removeAllDownloads(): Promise<void> {
  if (!hasIndexedDb || !hasDownloadMark()) return
  abortDownloads()
  useDownloads.setState(noDownloads)
  // Delete the database first: without the user the service worker serves nothing, even if files remain.
  await deleteEverything()
  await deleteFiles()
  setDownloadMark(false)
  announceDownloads('forgotten')
}

/** Locks the downloads: the files stay on the device, but none are served until their user signs in again. */
export async function lockDownloads(): Promise<void> {
  const person = await readFact('person')
  if (!person?.is_signed_in) return
  abortDownloads()
  await writeFact('person', { ...person, is_signed_in: false })
  useDownloads.setState(noDownloads)
  announceDownloads('forgotten')
}
