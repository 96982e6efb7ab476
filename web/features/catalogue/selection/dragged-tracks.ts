// Drag and drop of tracks from a list to a playlist. The data is a list of ids, which browsers reveal to the drop
// target only on drop.
import type { DragEvent } from 'react'

const type = 'application/x-velour-tracks'

export function dragTracks(event: DragEvent, ids: readonly string[], label: string): void {
  event.dataTransfer.setData(type, JSON.stringify(ids))
  event.dataTransfer.effectAllowed = 'copy'
  const chip = document.createElement('span')
  chip.textContent = label
  chip.style.cssText =
    'position: fixed; top: -4rem; padding: 0.5rem 0.875rem; border-radius: 999px; font-weight: 600;' +
    'color: var(--on-accent); background: var(--accent); max-width: 20rem; overflow: hidden; white-space: nowrap'
  document.body.append(chip)
  event.dataTransfer.setDragImage(chip, -8, -8)
  // Remove the drag image only after this event, when the browser has captured it.
  setTimeout(() => chip.remove())
}

export function holdsTracks(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(type)
}

export function droppedTracks(event: DragEvent): { id: string }[] {
  try {
    const ids: unknown = JSON.parse(event.dataTransfer.getData(type))
    const isText = (id: unknown): id is string => typeof id === 'string'
    return Array.isArray(ids) ? ids.filter(isText).map((id) => ({ id })) : []
  } catch {
    return []
  }
}
