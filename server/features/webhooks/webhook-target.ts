// Checks where webhooks may be sent: when a URL is saved, and again when it is used.
import { isIP } from 'node:net'
import type { ErrorCode } from '#contract/errors.ts'
import { findPublicSetting, isLoopback, type Config } from '../../platform/config/config.ts'
import { isPublicAddress } from '../../platform/security/private-addresses.ts'

export type TargetConfig = Pick<
  Config,
  'host' | 'publicUrl' | 'trustProxy' | 'webhooksToPrivateAddresses'
>

/** The reason why nothing may be sent there; null if it is allowed. Host names are checked when they are resolved. */
export function refusalOf(
  config: TargetConfig,
  address: string,
): Extract<ErrorCode, 'webhook_url_refused' | 'webhook_url_private'> | null {
  const { protocol, username, password, hostname } = new URL(address)
  const mayBePlain = findPublicSetting(config) === null
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && mayBePlain)
  if (!isAllowed || username !== '' || password !== '') return 'webhook_url_refused'
  if (config.webhooksToPrivateAddresses) return null
  const host = hostname.replace(/^\[|\]$/g, '')
  const isPrivate = isLoopback(host) || (isIP(host) !== 0 && !isPublicAddress(host))
  return isPrivate ? 'webhook_url_private' : null
}
