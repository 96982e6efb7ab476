// Atomic file writes: a file is written under another name, flushed, then renamed into place.
import { mkdir, open, rename, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode, syncFolder } from './disk-files.ts'
import { enforceSize } from './storage.ts'

/** Writes and flushes a new file. Throws `wrong_size` when the body is not `byteSize` bytes long. */
export async function writeDurably(path: string, body: Readable, byteSize: number | undefined) {
  const file = await open(path, 'wx', 0o600)
  // The write stream closes the file, even if the body fails.
  await pipeline(enforceSize(body, byteSize), file.createWriteStream({ flush: true }))
}

/** Renames the file and flushes its new name, so that a power failure can't undo the renaming. */
export async function moveIntoPlace(path: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const folder = dirname(target)
    const firstNew = await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await rename(path, target)
      await syncFolder(folder)
      // Each new folder adds a name to its parent folder, which must be flushed as well.
      for (let made = folder; firstNew && made.length >= firstNew.length;) {
        made = dirname(made)
        await syncFolder(made)
      }
      return
    } catch (error) {
      // A concurrent deletion may have removed the empty folder between these two steps.
      if (attempt === 5 || !hasCode(error, 'ENOENT')) throw error
    }
  }
}

/** Removes the folders that a deletion left empty, upwards, but never `root` itself. */
export async function pruneFolders(folder: string, root: string): Promise<void> {
  for (let path = folder; path !== root; path = dirname(path)) {
    try {
      await rmdir(path)
    } catch (error) {
      if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) return
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }
}
