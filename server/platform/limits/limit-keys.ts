// The key of a limit: an account, an address, or both together. Only hashes are stored.
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { RateLimit } from '#contract/rate-limit.ts'

export interface LimitedKey {
  limit: RateLimit
  key: string
}

/** `parts` identify the account or address that is limited. */
export function createLimitedKey(limit: RateLimit, ...parts: string[]): LimitedKey {
  const hash = createHash('sha256').update(parts.join('\n')).digest('base64url')
  return { limit, key: `${limit.name}:${hash.slice(0, 22)}` }
}

/**
 * Providers assign a household a /64, a /56 or a whole /48, so attempts from IPv6 are counted for all three. The
 * larger networks may also contain many households, so each has four times the limit of the next smaller one.
 */
const wider = [
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
] as const

/** Returns the keys under which an address is counted. `parts` are added to each key. */
export function createAddressKeys(limit: RateLimit, ip: string, ...parts: string[]): LimitedKey[] {
  const address = getAddressKey(ip)
  const narrow = createLimitedKey(limit, ...parts, address)
  if (!address.includes(':')) return [narrow]
  const nets = wider.map(({ bits, factor }) => {
    const net = `${getNetwork(ip, bits)}/${bits}`
    return createLimitedKey({ ...limit, count: limit.count * factor }, ...parts, net)
  })
  return [narrow, ...nets]
}

/** Returns what counts as one address: the whole IPv4 address, or the IPv6 /64 of one household or server. */
export function getAddressKey(ip: string): string {
  return getNetwork(ip, 64)
}

/**
 * Returns the first `bits` of an IPv6 address, or a whole IPv4 address. A trusted proxy may also send a name, such as
 * `unknown`.
 */
export function getNetwork(ip: string, bits: number): string {
  if (!isIPv6(ip)) return ip.toLowerCase()
  const address = ipaddr.IPv6.parse(ip)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  const bytes = address.toByteArray().fill(0, bits / 8)
  return new ipaddr.IPv6(bytes).toRFC5952String()
}
