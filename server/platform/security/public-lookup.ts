// For requests to addresses that a person typed: connects only to public addresses. Checks the address of the actual
// connection, so that a host name whose address changes can't bypass the check.
import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopback } from '../config/config.ts'
import { isPublicAddress } from './private-addresses.ts'

export class PrivateAddressError extends Error {}

/**
 * Whether the host of a URL is an address or name of this machine or of a private network. False for other names,
 * which are not resolved here.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isLoopback(host) || (isIP(host) !== 0 && !isPublicAddress(host))
}

/** Resolves a name like `dns.lookup`, and fails with a PrivateAddressError when one of its addresses is not public. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '', 0)
    if (addresses.some(({ address }) => !isPublicAddress(address))) {
      return callback(new PrivateAddressError(), '', 0)
    }
    if (options.all) return callback(null, addresses)
    callback(null, addresses[0]!.address, addresses[0]!.family)
  })
}

/** Describes why a connection failed, without any address. */
export function describeConnectionError(error: unknown): string {
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host name was not found.'
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (code === 'ECONNRESET') return 'The connection was closed before an answer.'
  if (name === 'AbortError' || code === 'ABORT_ERR') return 'It was too slow.'
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER/.test(code)) return `The certificate is not valid (${code}).`
  return `The connection failed${code && ` (${code})`}.`
}
