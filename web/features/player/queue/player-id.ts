// Id of this tab's player, for the server, which limits how many players of an account play. It survives a reload. A
// duplicated tab copies sessionStorage: the tab that doesn't get the Web Lock of the id generates a new one.

const storageKey = 'velour-player-id'

let id = sessionStorage.getItem(storageKey) ?? ''
if (!isUuid(id)) renew()
lockPlayerId()

export function playerId(): string {
  return id
}

/** Adds the player's id to an audio URL. */
export function addPlayerId(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}player=${id}`
}

/** Returns a random UUID (RFC 9562 §5.4). crypto.randomUUID is missing in insecure contexts. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function renew(): void {
  id = newUuid()
  sessionStorage.setItem(storageKey, id)
}

/** Holds the lock for the lifetime of the page. Insecure contexts have no Web Locks. */
function lockPlayerId(): void {
  if (!('locks' in navigator)) return
  const hold = (lock: Lock | null): Promise<never> | undefined => {
    if (lock) return new Promise<never>(() => {})
    renew()
    lockPlayerId()
    return undefined
  }
  void navigator.locks.request(`${storageKey}:${id}`, { ifAvailable: true }, hold)
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)
}
