// Reads what was selected or dropped for an import: one file, or a folder with all its files.
import { collectChosen, collectDropped } from '../uploads/queue/collect-files.ts'
import type { FoundFile } from '../uploads/queue/upload-item.ts'
import type { ArchiveSource } from './archive-upload.ts'

interface DroppedItem extends DataTransferItem {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

/**
 * Call it synchronously in the drop event, because the browser clears the data afterwards. Resolves to null if nothing
 * was dropped.
 */
export async function readDroppedSource(transfer: DataTransfer): Promise<ArchiveSource | null> {
  const items: DroppedItem[] = [...transfer.items].filter(({ kind }) => kind === 'file')
  // Get a file handle only if one item was dropped. Several items are packed into a new archive, which has no handle.
  const handle = items.length === 1 ? items[0]?.getAsFileSystemHandle?.().catch(() => null) : null
  const found = await collectDropped(transfer)
  return toSource(found, (await handle) ?? null)
}

export const readSelectedSource = (files: Iterable<File> | null): ArchiveSource | null =>
  toSource(collectChosen(files ?? []), null)

function toSource(
  found: readonly FoundFile[],
  handle: FileSystemHandle | null,
): ArchiveSource | null {
  const [first] = found
  if (!first) return null
  const isOneFile = found.length === 1 && !first.path.includes('/')
  if (isOneFile) return { file: first.file, handle: handle ?? first.handle ?? null }
  const folder = first.path.includes('/') ? first.path.split('/')[0]! : 'files'
  return { folder, found, handle }
}
