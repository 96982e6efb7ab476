// Compares dropped files with the upload list. A file can be new, already in the list, or the file that an item of the
// list lacks since a reload.
import type { FoundFile, UploadItem } from './upload-item.ts'

export interface FileMatches {
  fresh: FoundFile[]
  /** Files that items of the list lack. If an item has a hash, it is compared before the file is used. */
  returned: { item: UploadItem; found: FoundFile }[]
  /** Number of dropped files that the list has already, whether waiting or uploaded. */
  alreadyListedCount: number
}

/** `missing` contains the ids of items that lack their file. Each item matches at most one file. */
export function matchFiles(
  found: readonly FoundFile[],
  items: readonly UploadItem[],
  missing: ReadonlySet<string>,
): FileMatches {
  const byPath = groupBy(items, (item) => `${item.path}\n${item.byteSize}`)
  const byName = groupBy(
    items.filter(({ id }) => missing.has(id)),
    (item) => `${item.name}\n${item.byteSize}`,
  )
  const taken = new Set<UploadItem>()
  const matches: FileMatches = { fresh: [], returned: [], alreadyListedCount: 0 }
  const rest: FoundFile[] = []
  for (const one of found) {
    const item = byPath
      .get(`${one.path}\n${one.file.size}`)
      ?.find((other) => !taken.has(other) && (missing.has(other.id) || isSame(other, one)))
    if (!item) rest.push(one)
    else {
      taken.add(item)
      if (missing.has(item.id)) matches.returned.push({ item, found: one })
      else matches.alreadyListedCount += 1
    }
  }
  // Compare names only: files may be dropped without their folder, or in another one.
  for (const one of rest) {
    const item = byName
      .get(`${one.file.name}\n${one.file.size}`)
      ?.find((other) => !taken.has(other))
    if (item) {
      taken.add(item)
      matches.returned.push({ item, found: one })
    } else matches.fresh.push(one)
  }
  return matches
}

function isSame(item: UploadItem, { file }: FoundFile): boolean {
  return item.modifiedAtMs === file.lastModified && item.stage !== 'failed'
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
