// Reads the queue as version 0.1 saved it: in localStorage, with the tracks in blocks of one list per field, and the
// play order as indexes of them. The data is removed after migration. Delete this module once no browser holds such a
// queue.
import * as z from 'zod/mini'
import { readStorage, removeStorage } from './browser-storage.ts'

const place = z.int().check(z.minimum(0))

const savedOrder = z.object({
  /** Id of the blocks the order belongs to; another tab of the account has other ids. */
  blocks: z.string(),
  /** Number of tracks in each block. */
  sizes: z.array(place),
  order: z.array(place),
  original: z.nullable(z.array(place)),
})

const savedBlock = z.object({
  blocks: z.string(),
  count: place,
  /** One list per field of a track, or a single value if all tracks share it. */
  columns: z.record(z.string(), z.unknown()),
})

const orderKey = (userId: string) => `velour-player-queue:${userId}`
const blockKey = (userId: string, at: number) => `velour-player-tracks:${userId}:${at}`

export function removeEarlierSavedQueue(userId: string): void {
  removeStorage(orderKey(userId))
  let at = 0
  while (removeStorage(blockKey(userId, at))) at += 1
}

/** The tracks in play order, not validated, and the original order as indexes of them. Null when it is incomplete. */
export function readEarlierQueue(
  userId: string,
): { tracks: unknown[]; original: number[] | null } | null {
  const saved = readStorage(orderKey(userId), savedOrder)
  if (!saved) return null
  const { blocks, sizes, order, original } = saved
  const kept = sizes.flatMap((size, at) => {
    const block = readStorage(blockKey(userId, at), savedBlock)
    return block?.blocks === blocks && block.count === size ? restoreTracks(block) : []
  })
  const tracks = order.flatMap((at) => kept[at] ?? [])
  if (tracks.length !== order.length || new Set(order).size !== order.length) return null
  const places = new Map(order.map((at, index) => [at, index]))
  return { tracks, original: original && original.map((at) => places.get(at) ?? -1) }
}

const ownAddresses = ['audio_url', 'preview_url']

function restoreTracks({ columns, count }: z.infer<typeof savedBlock>): unknown[] {
  const valueOf = (field: string, at: number): unknown => {
    const column = columns[field]
    return Array.isArray(column) ? column[at] : column
  }
  return Array.from({ length: count }, (_, at) => {
    const id = String(valueOf('id', at))
    const values = Object.keys(columns).map((field) => {
      const value = valueOf(field, at)
      // In a URL that all tracks share, `*` stands for the track's id.
      const isAddress = ownAddresses.includes(field) && typeof value === 'string'
      return [field, isAddress ? value.replace('*', id) : value]
    })
    return Object.fromEntries(values) as unknown
  })
}
