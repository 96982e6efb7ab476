// Ends what this device keeps: deleted when its person signs out, loses Premium or is away too long;
// locked when the server says that nobody is signed in. Invariant: whatever was still on its way stops
// first, so that nothing arrives afterwards.
import { deleteFiles } from './kept-files.ts'
import { hasKeptMark, markKept } from './kept-mark.ts'
import { announceKept, nothingKept, useKept } from './kept-store.ts'
import { canKeep, deleteEverything, readFact, writeFact } from './offline-db.ts'

let keeping = new AbortController()

/** Ends whatever works for what is kept now. */
export function keepingSignal(): AbortSignal {
  return keeping.signal
}

/** Stops all downloads of this window. */
export function stopKeeping(): void {
  keeping.abort()
  keeping = new AbortController()
}

/** Deletes files, lists and the name. */
export async function forgetKept(): Promise<void> {
  if (!canKeep || !hasKeptMark()) return
  stopKeeping()
  useKept.setState(nothingKept)
  // The name first: without it the worker hands out nothing, whatever is still being deleted.
  await deleteEverything()
  await deleteFiles()
  markKept(false)
  announceKept('forgotten')
}

/** Keeps the files for their person to come back to, and hands out none until then. */
export async function lockKept(): Promise<void> {
  const person = await readFact('person')
  if (!person?.is_signed_in) return
  stopKeeping()
  await writeFact('person', { ...person, is_signed_in: false })
  useKept.setState(nothingKept)
  announceKept('forgotten')
}
