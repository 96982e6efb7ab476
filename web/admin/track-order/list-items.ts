// The tracks of a playlist or release while they are edited. Nothing is sent until the list is saved.

/** An item without a track is a break between tracks, such as the start of a disc. */
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

/** Numbers each track since the last break, and each part started by a break. */
export function numberItems(items: readonly ListItem<unknown>[]): number[] {
  let part = 1
  let position = 0
  return items.map(({ track }) => {
    if (track) return (position += 1)
    position = 0
    return (part += 1)
  })
}
