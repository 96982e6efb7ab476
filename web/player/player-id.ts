// Which player this tab is, for the server that counts how many of an account play. Stable over a reload.
// A tab that was duplicated brings its twin's storage along: whoever does not get the lock of the id takes
// another one.

const storageKey = 'velour-player-id'

let id = sessionStorage.getItem(storageKey) ?? ''
if (!isUuid(id)) renew()
keepToThisTab()

export function playerId(): string {
  return id
}

/** The address of audio as this player asks for it. */
export function forThisPlayer(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}player=${id}`
}

/** A random UUID (RFC 9562 §5.4); crypto.randomUUID is missing on pages without a safe origin. */
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

/** Held as long as the page lives. Without a secure context there are no locks. */
function keepToThisTab(): void {
  if (!('locks' in navigator)) return
  const hold = (lock: Lock | null): Promise<never> | undefined => {
    if (lock) return new Promise<never>(() => {})
    renew()
    keepToThisTab()
    return undefined
  }
  void navigator.locks.request(`${storageKey}:${id}`, { ifAvailable: true }, hold)
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)
}
