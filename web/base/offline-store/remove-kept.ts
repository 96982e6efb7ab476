// Ends access to downloads. They are deleted when the user signs out, loses Premium or the lease expires, and locked when the
// server reports that nobody is signed in. Invariant: downloads in progress are aborted first, so nothing is written
// afterwards.
import { deleteFiles } from './kept-files.ts'
import { hasKeptMark, markKept } from './kept-mark.ts'
import { announceDownloads, nothingKept, useDownloads } from './kept-store.ts'
import { canKeep, deleteEverything, readFact, writeFact } from './offline-db.ts'

let keeping = new AbortController()

/** Aborted when the current downloads must end. */
export function keepingSignal(): AbortSignal {
  return keeping.signal
}

/** Aborts all downloads of this window. */
export function stopKeeping(): void {
  keeping.abort()
  keeping = new AbortController()
}

/** Deletes files, lists and the user's name. */
export async function removeAllDownloads(): Promise<void> {
  if (!canKeep || !hasKeptMark()) return
  stopKeeping()
  useDownloads.setState(nothingKept)
  // Delete the database first: without the user the service worker serves nothing, even if files remain.
  await deleteEverything()
  await deleteFiles()
  markKept(false)
  announceDownloads('forgotten')
}

/** Locks the downloads: the files stay on the device, but none are served until their user signs in again. */
export async function lockDownloads(): Promise<void> {
  const person = await readFact('person')
  if (!person?.is_signed_in) return
  stopKeeping()
  await writeFact('person', { ...person, is_signed_in: false })
  useDownloads.setState(nothingKept)
  announceDownloads('forgotten')
}
