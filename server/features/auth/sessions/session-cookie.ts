// The session cookie as better-auth writes it: `token.signature`, URL-encoded, where the signature is the HMAC-SHA256
// of the token in base64. Verified here without better-auth, because every request needs it to be fast.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  listCookieNames,
  findCookie,
  renameFormerCookies,
  withFormerNames,
} from '../../../platform/security/cookie-names.ts'

export const sessionSeconds = 30 * 24 * 3600

export interface SessionCookie {
  readonly name: string
  /** The session cookie's value in a Cookie header, still URL-encoded. Null if there is none. */
  find: (header: string | undefined) => string | null
  /** The session token in a cookie value that was signed with one of our secrets. Null for all other values. */
  verify: (value: string) => string | null
  /** Whether the cookie value was signed with the current secret. */
  isCurrent: (value: string) => boolean
  /** Set-Cookie headers that extend the session by 30 days, signed with the current secret. */
  renew: (value: string) => string[]
  /** Set-Cookie headers that delete the session cookie. */
  readonly clear: string[]
  /**
   * Returns a Cookie header for better-auth. It contains the session cookie that `find` and `verify` use, signed with
   * the current secret, and no other cookie of that name. If better-auth picked a different cookie, one request would
   * be attributed to two people.
   */
  resign: (header: string) => string
}

/** The first secret signs; the others are previous secrets, whose signatures are still accepted. */
export function createSessionCookie(
  secrets: readonly [string, ...string[]],
  secure: boolean,
): SessionCookie {
  const names = listCookieNames('session_token', secure)
  const name = names[0]!
  const start = `${name}=`
  const attributes = `Path=/; HttpOnly;${secure ? ' Secure;' : ''} SameSite=Lax`
  const [current] = secrets
  const find: SessionCookie['find'] = (header) =>
    header === undefined ? null : findCookie(header, names)
  const verify = (value: string) => {
    for (const secret of secrets) {
      const token = verifySigned(value, secret)
      if (token !== null) return token
    }
    return null
  }
  const isCurrent = (value: string) => verifySigned(value, current) !== null
  /**
   * Signs a value with the current secret. Returns it unchanged if it already is, or if none of our secrets signed it.
   */
  const signAgain = (value: string) => {
    const token = isCurrent(value) ? null : verify(value)
    return token === null ? value : encodeURIComponent(`${token}.${sign(token, current)}`)
  }
  return {
    name,
    find,
    verify,
    isCurrent,
    renew: (value) =>
      withFormerNames([`${start}${signAgain(value)}; Max-Age=${sessionSeconds}; ${attributes}`]),
    clear: withFormerNames([`${start}; Max-Age=0; ${attributes}`]),
    resign(header) {
      const value = find(header)
      const own = value !== null && verify(value) !== null ? [start + signAgain(value)] : []
      const others = header.split(';').map((pair) => pair.trim())
      const kept = others.filter((pair) => !names.includes(pair.split('=', 1)[0]!))
      return [...own, ...(kept.length > 0 ? [renameFormerCookies(kept.join('; '))] : [])].join('; ')
    },
  }
}

function sign(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('base64')
}

/** Length of a 32-byte signature in base64. */
const signatureLength = 44

function verifySigned(value: string, secret: string): string | null {
  const decoded = decode(value)
  const dot = decoded.lastIndexOf('.')
  if (dot < 1 || decoded.length - dot - 1 !== signatureLength) return null
  const token = decoded.slice(0, dot)
  const given = Buffer.from(decoded.slice(dot + 1))
  const expected = Buffer.from(sign(token, secret))
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // The value is not valid percent-encoding, so Velour did not write it.
    return ''
  }
}
