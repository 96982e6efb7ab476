// Local folders for unfinished work, in a folder that is emptied at the start.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface ScratchFolders {
  readonly folder: string
  /** Calls `use` with an empty folder and removes it afterwards. */
  withFolder: <T>(use: (folder: string) => Promise<T>) => Promise<T>
}

export async function openScratchFolders(folder: string): Promise<ScratchFolders> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    folder,
    async withFolder(use) {
      const scratch = await mkdtemp(join(folder, 'scratch-'))
      try {
        return await use(scratch)
      } finally {
        await rm(scratch, { recursive: true, force: true })
      }
    },
  }
}
