// A cookie that marks a browser as having signed in to an account before. Wrong passwords from other browsers never
// throttle a known browser. The cookie alone grants no access.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The prefix cannot be `__Host-`, which requires the path `/`: this cookie is sent only to /api/auth. */
const cookieName = (secure: boolean) => `${secure ? '__Secure-' : ''}velour.known_browser`
const maxAgeSeconds = 365 * 24 * 3600

export interface KnownBrowser {
  /**
   * Returns the browser's id for this account from the Cookie header. Null if the browser never signed in to this
   * account.
   */
  find: (header: string, email: string) => string | null
  /** Returns a Set-Cookie header that marks the browser as known for this account. */
  issue: (email: string) => string
}

/** The first secret signs; the others are previous secrets, whose signatures are still accepted. */
export function createKnownBrowser(
  secrets: readonly [string, ...string[]],
  secure: boolean,
): KnownBrowser {
  const start = `${cookieName(secure)}=`
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/api/auth; HttpOnly;${secure ? ' Secure;' : ''} SameSite=Lax`
  return {
    find(header, email) {
      const pairs = header.split(';').map((pair) => pair.trim())
      const value = pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
      const [id = '', signature = ''] = value?.split('.') ?? []
      const isSigned = secrets.some((secret) => isEqual(signature, sign(secret, id, email)))
      return isSigned ? id : null
    },
    issue(email) {
      const id = randomBytes(16).toString('base64url')
      return `${start}${id}.${sign(secrets[0], id, email)}; ${attributes}`
    },
  }
}

/** The signed text contains the cookie's purpose, so that a signature made for another purpose is not valid here. */
function sign(secret: string, id: string, email: string): string {
  const account = createHash('sha256').update(email).digest('base64url')
  return createHmac('sha256', secret).update(`known-browser.${id}.${account}`).digest('base64url')
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
