// Checks whether a webhook may be sent to a URL. The URL is checked when it is saved, and again before each request.
import type { ErrorCode } from '#contract/errors.ts'
import { findPublicSetting, type Config } from '../../platform/config/config.ts'
import { isPrivateHost } from '../../platform/security/public-lookup.ts'

export type TargetConfig = Pick<
  Config,
  'host' | 'publicUrl' | 'trustProxy' | 'webhooksToPrivateAddresses'
>

/**
 * Returns the reason why the URL is not allowed, or null if it is. The addresses of a host name are checked later, when
 * it is resolved.
 */
export function findWebhookUrlError(
  config: TargetConfig,
  address: string,
): Extract<ErrorCode, 'webhook_url_refused' | 'webhook_url_private'> | null {
  const { protocol, username, password, hostname } = new URL(address)
  const mayBePlain = findPublicSetting(config) === null
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && mayBePlain)
  if (!isAllowed || username !== '' || password !== '') return 'webhook_url_refused'
  if (config.webhooksToPrivateAddresses) return null
  return isPrivateHost(hostname) ? 'webhook_url_private' : null
}
