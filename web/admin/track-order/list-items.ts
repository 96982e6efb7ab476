// The tracks of a playlist or release while they are edited. Changes are sent only when the list is saved.

/** A track, or a break: an item without a track, at which a new part such as a disc starts. */
export interface ListItem<Track> {
  id: string
  track: Track | null
}

export function removeItem<Item extends { id: string }>(
  items: readonly Item[],
  id: string,
): Item[] {
  return items.filter((item) => item.id !== id)
}

export function moveItem<Item>(items: readonly Item[], fromIndex: number, toIndex: number): Item[] {
  const moved = [...items]
  moved.splice(toIndex, 0, ...moved.splice(fromIndex, 1))
  return moved
}

/**
 * Returns a number for each item: for a track its position since the last break, for a break the number of the part
 * that it starts.
 */
export function numberItems(items: readonly ListItem<unknown>[]): number[] {
  let part = 1
  let position = 0
  return items.map(({ track }) => {
    if (track) return (position += 1)
    position = 0
    return (part += 1)
  })
}
