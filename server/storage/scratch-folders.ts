// Local folders for work in progress, below one that a start empties.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface ScratchFolders {
  readonly folder: string
  /** Gives `use` an empty folder; it is gone afterwards. */
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
