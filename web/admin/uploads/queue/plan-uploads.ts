// Decides what the upload queue does next. Pure functions: upload-queue.ts holds the state and executes the plan.
import { maxHashesPerRequest } from '#contract/admin/track-imports.ts'
import type { UploadItem } from './upload-item.ts'

export const maxUploads = 3
/** How many files are hashed before their upload starts, so that uploads don't wait for hashes. */
const maxHashedAhead = 40

export interface UploadState {
  items: ReadonlyMap<string, UploadItem>
  /** Ids of items whose files the browser can read. */
  readable: Pick<ReadonlySet<string>, 'has'>
  /** Ids of items that were checked for duplicates, or that need no check. */
  checked: Pick<ReadonlySet<string>, 'has'>
  /** Ids of items that are being uploaded. A paused upload is included until it has stopped. */
  running: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>
  /** Ids of items whose files were dropped again after a reload and still have to be compared. */
  returned: Pick<ReadonlyMap<string, unknown>, 'has'>
  isHashing: boolean
  isChecking: boolean
}

export interface UploadPlan {
  upload: UploadItem[]
  /** The item whose file is hashed next. One file is hashed at a time. */
  hash: UploadItem | null
  /** Items to check for duplicates with the next request. */
  check: UploadItem[]
}

export function planUploads(state: UploadState): UploadPlan {
  const wanted = [...state.items.values()].filter(
    (item) => item.stage === 'waiting' && !item.isPaused && !state.running.has(item.id),
  )
  const hashed = wanted.filter((item) => item.sha256 !== null)
  const ready = hashed.filter(({ id }) => state.checked.has(id) && state.readable.has(id))
  return {
    upload: ready.slice(0, Math.max(0, maxUploads - state.running.size)),
    hash: state.isHashing ? null : findNextToHash(state, wanted, hashed.length),
    check: state.isChecking
      ? []
      : hashed.filter(({ id }) => !state.checked.has(id)).slice(0, maxHashesPerRequest),
  }
}

function findNextToHash(
  { items, returned, readable }: UploadState,
  wanted: readonly UploadItem[],
  hashedCount: number,
): UploadItem | null {
  const canHash = new Set(
    wanted.filter((item) => item.sha256 === null && readable.has(item.id)).map(({ id }) => id),
  )
  for (const item of items.values()) {
    // Compare a file that was dropped again first, because the user waits for the result.
    if (returned.has(item.id)) return item
    if (canHash.has(item.id)) return hashedCount < maxHashedAhead ? item : null
  }
  return null
}

/**
 * Returns how a new hash changes the item. If another file in the list has the same content, the item is a duplicate.
 */
export function applyHash(
  items: Iterable<UploadItem>,
  item: UploadItem,
  sha256: string,
): Partial<UploadItem> {
  const duplicate = [...items].find(
    (other) =>
      other.id !== item.id &&
      other.sha256 === sha256 &&
      (other.stage === 'waiting' || other.stage === 'arrived'),
  )
  if (!duplicate || item.allowsDuplicate) return { sha256 }
  return { sha256, stage: 'known', known: { id: duplicate.trackId, title: duplicate.name } }
}
