// Decides which servers an import may read. The address is checked when it is entered, and again for each request and
// redirect.
import type { ErrorCode } from '#contract/errors.ts'
import { findPublicSetting, type Config } from '../../platform/config/config.ts'
import { isPrivateHost } from '../../platform/security/public-lookup.ts'

export type SourceConfig = Pick<
  Config,
  'host' | 'publicUrl' | 'trustProxy' | 'importsFromPrivateAddresses'
>

/**
 * Returns why an import may not read this address, or null if it may. Host names are checked later, when they are
 * resolved.
 */
export function findAddressError(
  config: SourceConfig,
  url: URL,
): Extract<ErrorCode, 'import_url_refused' | 'import_url_private'> | null {
  const mayBePlain = config.importsFromPrivateAddresses || findPublicSetting(config) === null
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && mayBePlain)
  if (!isAllowed || url.username !== '' || url.password !== '') return 'import_url_refused'
  if (config.importsFromPrivateAddresses) return null
  return isPrivateHost(url.hostname) ? 'import_url_private' : null
}

/**
 * Removes path and query of a single request from an address: `https://music.example/rest/?a=b` becomes
 * `https://music.example`.
 */
export function toServerUrl(address: string): string {
  const url = new URL(address)
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+(?:rest\/*)?$/, '')
  return url.href.replace(/\/$/, '')
}
