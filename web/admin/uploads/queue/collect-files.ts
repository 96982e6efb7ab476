// Collects the files of a drop or a file input, including those in subfolders. Keeps file handles if the browser
// provides them, to reopen the files after a reload.
import type { FoundFile } from './upload-item.ts'

interface DroppedItem extends DataTransferItem {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

/** Call it synchronously in the drop event, because the browser clears the data transfer afterwards. */
export function collectDropped(transfer: DataTransfer): Promise<FoundFile[]> {
  const dropped = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item: DroppedItem) => ({
      entry: item.webkitGetAsEntry?.() ?? null,
      handle: item.getAsFileSystemHandle?.().catch(() => null),
      file: item.getAsFile(),
    }))
  return Promise.all(
    dropped.map(async ({ entry, handle, file }) => {
      const found = await handle
      if (found) return walkHandle(found, '')
      if (entry) return walkEntry(entry)
      return file ? [{ file, path: file.name }] : []
    }),
  ).then((lists) => sortNaturally(lists.flat()))
}

/** Returns the files selected in a file input. */
export function collectChosen(files: Iterable<File>): FoundFile[] {
  return sortNaturally(
    [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })),
  )
}

interface DirectoryHandle extends FileSystemHandle {
  values: () => AsyncIterable<FileSystemHandle>
}

/** Returns the file of a handle, or all files in the folder of a handle. */
export async function collectFromHandle(handle: FileSystemHandle): Promise<FoundFile[]> {
  return sortNaturally(await walkHandle(handle, ''))
}

async function walkHandle(handle: FileSystemHandle, folder: string): Promise<FoundFile[]> {
  if (isFileHandle(handle)) {
    // The file is gone if it was deleted in the meantime.
    const file = await handle.getFile().catch(() => null)
    return file ? [{ file, path: folder + handle.name, handle }] : []
  }
  const found: FoundFile[] = []
  for await (const inner of (handle as DirectoryHandle).values()) {
    found.push(...(await walkHandle(inner, `${folder}${handle.name}/`)))
  }
  return found
}

function isFileHandle(handle: FileSystemHandle): handle is FileSystemFileHandle {
  return handle.kind === 'file'
}

async function walkEntry(entry: FileSystemEntry): Promise<FoundFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File | null>((resolve) =>
      (entry as FileSystemFileEntry).file(resolve, () => resolve(null)),
    )
    return file ? [{ file, path: entry.fullPath.replace(/^\//, '') }] : []
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: FoundFile[] = []
  for (;;) {
    // readEntries returns at most 100 entries per call, and an empty array at the end.
    const entries = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (entries.length === 0) return found
    for (const inner of entries) found.push(...(await walkEntry(inner)))
  }
}

/** Sorts by path in natural order: track 2 before track 10. */
function sortNaturally(found: FoundFile[]): FoundFile[] {
  const collator = new Intl.Collator('en', { numeric: true })
  return found.toSorted((a, b) => collator.compare(a.path, b.path))
}
