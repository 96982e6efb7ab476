// Form drafts in localStorage until they are saved or discarded. The key contains the user, the form and the edited
// item, so a draft is never read for another user.
const prefix = 'velour-draft:'
/** Longer drafts are not saved: browsers limit a site to about five million characters. */
const maxCharacters = 1_000_000
/** Limit per user. The oldest drafts are removed. */
const maxDrafts = 20
const writeDelayMs = 300

interface Stored {
  savedAt: number
  data: unknown
}

const waiting = new Map<string, { data: unknown; timer: ReturnType<typeof setTimeout> }>()

const toStorageKey = (userId: string, key: string) => `${prefix}${userId}:${key}`

export function readDraft(userId: string, key: string): unknown {
  return parse(read(toStorageKey(userId, key)))?.data ?? null
}

/** Writes the draft after a short delay, or on `pagehide` if that happens earlier. */
export function scheduleDraft(userId: string, key: string, data: unknown): void {
  const name = toStorageKey(userId, key)
  clearTimeout(waiting.get(name)?.timer)
  waiting.set(name, { data, timer: setTimeout(() => writePending(name), writeDelayMs) })
}

export function flushDraft(userId: string, key: string): void {
  writePending(toStorageKey(userId, key))
}

export function dropDraft(userId: string, key: string): void {
  drop(toStorageKey(userId, key))
}

export function hasDrafts(userId: string): boolean {
  return listStorageKeys(userId).length > 0 || [...waiting.keys()].some(belongsTo(userId))
}

export function dropDrafts(userId: string): void {
  for (const name of [...listStorageKeys(userId), ...[...waiting.keys()].filter(belongsTo(userId))])
    drop(name)
}

const belongsTo = (userId: string) => (name: string) => name.startsWith(`${prefix}${userId}:`)

function listStorageKeys(userId: string): string[] {
  return storage() ? Object.keys(localStorage).filter(belongsTo(userId)) : []
}

function drop(name: string): void {
  clearTimeout(waiting.get(name)?.timer)
  waiting.delete(name)
  storage()?.removeItem(name)
}

function writePending(name: string): void {
  const entry = waiting.get(name)
  if (!entry) return
  clearTimeout(entry.timer)
  waiting.delete(name)
  const stored: Stored = { savedAt: Date.now(), data: entry.data }
  const text = JSON.stringify(stored)
  // If the draft can't be stored, delete the previous one: restoring outdated changes would be worse.
  if (text.length > maxCharacters || !write(name, text)) storage()?.removeItem(name)
  else dropOldest(name)
}

function dropOldest(justWritten: string): void {
  const userId = justWritten.slice(prefix.length).split(':', 1)[0] ?? ''
  const names = listStorageKeys(userId)
  if (names.length <= maxDrafts) return
  const byAge = names
    .map((name) => ({ name, savedAt: parse(read(name))?.savedAt ?? 0 }))
    .toSorted((a, b) => b.savedAt - a.savedAt)
  for (const { name } of byAge.slice(maxDrafts)) if (name !== justWritten) drop(name)
}

/** Undefined if the browser blocks storage. Then no drafts are saved, but the user is still asked before leaving. */
function storage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

function read(name: string): string | null {
  return storage()?.getItem(name) ?? null
}

/** Returns false when storage is full or blocked. */
function write(name: string, text: string): boolean {
  try {
    storage()?.setItem(name, text)
    return storage() !== undefined
  } catch {
    return false
  }
}

function parse(text: string | null): Stored | null {
  if (text === null) return null
  try {
    return JSON.parse(text) as Stored
  } catch {
    return null
  }
}

// Server rendering has no `window`.
globalThis.addEventListener?.('pagehide', writeAllPending)
// Also write drafts when the page is hidden: a phone may end a page in the background without a pagehide event.
globalThis.document?.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') writeAllPending()
})

function writeAllPending(): void {
  for (const name of waiting.keys()) writePending(name)
}
