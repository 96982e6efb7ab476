// A folder that is dropped again: which of its files the list knows, which of them it waits for, and which are new.
import type { FoundFile, UploadItem } from './upload-item.ts'

export interface Matches {
  fresh: FoundFile[]
  /** Files that an item waits for. Where its content was read before, it has to be the same. */
  returned: { item: UploadItem; found: FoundFile }[]
  /** In the list and in hand, or done. */
  alreadyHereCount: number
}

/** `lacking` are the items that still need their file. Each item takes one file, each file goes one way. */
export function matchFound(
  found: readonly FoundFile[],
  items: readonly UploadItem[],
  lacking: ReadonlySet<string>,
): Matches {
  const byPath = groupBy(items, (item) => `${item.path}\n${item.byteSize}`)
  const byName = groupBy(
    items.filter(({ id }) => lacking.has(id)),
    (item) => `${item.name}\n${item.byteSize}`,
  )
  const taken = new Set<UploadItem>()
  const matches: Matches = { fresh: [], returned: [], alreadyHereCount: 0 }
  const rest: FoundFile[] = []
  for (const one of found) {
    const item = byPath
      .get(`${one.path}\n${one.file.size}`)
      ?.find((other) => !taken.has(other) && (lacking.has(other.id) || isSame(other, one)))
    if (!item) rest.push(one)
    else {
      taken.add(item)
      if (lacking.has(item.id)) matches.returned.push({ item, found: one })
      else matches.alreadyHereCount += 1
    }
  }
  // Dropped without its folder, or with another one around it.
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
