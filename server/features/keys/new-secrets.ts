// Generates device keys and access tokens, and the values stored for them. The secrets are random and long, so a plain
// SHA-256 is secure enough to look them up.
import { createHash, randomBytes } from 'node:crypto'
import { getNetwork } from '../../platform/limits/limit-keys.ts'

/**
 * The characters of a key. No letters that look like digits, because people may have to type the key on a television.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const groups = 5
const groupLength = 5

/** Generates a key with 125 random bits in five groups of five characters: `7k2mx-…`. */
export function makeDeviceKey(): string {
  const letters = [...randomBytes(groups * groupLength)].map((byte) => alphabet[byte % 32]!)
  return Array.from({ length: groups }, (_, i) =>
    letters.slice(i * groupLength, (i + 1) * groupLength).join(''),
  ).join('-')
}

/** Secret scanners find leaked tokens in published code by this prefix. */
export const tokenPrefix = 'velour_pat_'

export function makeAccessToken(): string {
  return tokenPrefix + randomBytes(32).toString('base64url')
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/**
 * Reduces an IP address to its network: precise enough for people to recognize their own, too coarse to identify a
 * household. `203.0.113.0/24`, `2001:db8:1::/48`.
 */
export function coarseNetwork(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/.exec(ip)
  return v4 ? `${v4[1]}.0/24` : `${getNetwork(ip, 48)}/48`
}
