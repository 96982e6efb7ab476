// The session cookie as better-auth writes it: `token.signature`, URL-encoded, where the signature is
// the HMAC-SHA256 of the token in base64. Verified here so that the hot path needs no library.
import { createHmac, timingSafeEqual } from 'node:crypto'

export const cookiePrefix = 'velour'
export const sessionSeconds = 30 * 24 * 3600

export interface SessionCookie {
  readonly name: string
  /** The cookie's value in a Cookie header, still encoded; null when there is none. */
  find: (header: string | undefined) => string | null
  /** The session token of a value that was signed with our secret; null for everything else. */
  verify: (value: string) => string | null
  /** A Set-Cookie header that keeps the session for another 30 days. */
  renew: (value: string) => string
}

export function createSessionCookie(secret: string, secure: boolean): SessionCookie {
  const name = `${secure ? '__Secure-' : ''}${cookiePrefix}.session_token`
  const start = `${name}=`
  const attributes = `Max-Age=${sessionSeconds}; Path=/; HttpOnly;${secure ? ' Secure;' : ''} SameSite=Lax`
  return {
    name,
    find(header) {
      if (header === undefined) return null
      for (const pair of header.split(';')) {
        const trimmed = pair.trim()
        if (trimmed.startsWith(start)) return trimmed.slice(start.length)
      }
      return null
    },
    verify: (value) => verifySigned(value, secret),
    renew: (value) => `${start}${value}; ${attributes}`,
  }
}

/** base64 of 32 bytes. */
const signatureLength = 44

function verifySigned(value: string, secret: string): string | null {
  const decoded = decode(value)
  const dot = decoded.lastIndexOf('.')
  if (dot < 1 || decoded.length - dot - 1 !== signatureLength) return null
  const token = decoded.slice(0, dot)
  const given = Buffer.from(decoded.slice(dot + 1))
  const expected = Buffer.from(createHmac('sha256', secret).update(token).digest('base64'))
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // Not an encoding that we ever wrote.
    return ''
  }
}
