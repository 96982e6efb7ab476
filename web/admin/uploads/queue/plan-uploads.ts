// Plans the next steps of the upload queue. A pure function: the queue holds the state and executes the plan.
import { maxHashesPerRequest } from '#contract/admin/track-imports.ts'
import type { UploadItem } from './upload-item.ts'

export const maxUploads = 3
/** Number of files to hash ahead of their upload, so that uploads don't wait for hashing. */
const maxHashedAhead = 40

export interface UploadState {
  items: ReadonlyMap<string, UploadItem>
  /** Ids of items whose file the browser can read. */
  readable: Pick<ReadonlySet<string>, 'has'>
  /** Ids of items checked for duplicates, or exempt from the check. */
  checked: Pick<ReadonlySet<string>, 'has'>
  /** Ids of items being uploaded. A paused upload counts until it has stopped. */
  running: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>
  /** Ids of items whose file was dropped again after a reload and has not been compared yet. */
  returned: Pick<ReadonlyMap<string, unknown>, 'has'>
  isHashing: boolean
  isChecking: boolean
}

export interface UploadPlan {
  upload: UploadItem[]
  /** The file to hash next. One file is hashed at a time. */
  hash: UploadItem | null
  /** Items to check for duplicates in one request. */
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
    // Compare a returned file immediately, because the user waits for the result.
    if (returned.has(item.id)) return item
    if (canHash.has(item.id)) return hashedCount < maxHashedAhead ? item : null
  }
  return null
}

/** The effect of a hash: the same content elsewhere in the list makes the item a duplicate. */
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
