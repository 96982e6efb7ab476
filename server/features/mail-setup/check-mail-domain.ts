// Looks up the DNS records of the sender's domain that receiving mail servers check: SPF (RFC 7208), DKIM (RFC 6376)
// and DMARC (RFC 7489).
import { Resolver } from 'node:dns/promises'
import type * as contract from '#contract/admin/service/admin-mail.ts'
import type { DomainCheck } from '#contract/admin/service/admin-mail.ts'
import type { Output } from '#contract/endpoint.ts'
import type { Config } from '../../platform/config/config.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { mailFrom, type Branding } from '../settings/branding.ts'
import { readMailSettings } from '../settings/mail-settings.ts'
import { evaluateDkim, evaluateDmarc, evaluateSpf, type RecordResult } from './evaluate-records.ts'
import { findSpfMechanism } from './mail-providers.ts'

/** The part of the DNS resolver that looks up TXT records. */
export type TxtResolver = Pick<Resolver, 'resolveTxt'>

export interface MailDomainServices {
  config: Config
  branding: () => Branding
}

const timeoutMs = 3_000
const tries = 2

export function createTxtResolver(servers: readonly string[] | null): TxtResolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (servers !== null) resolver.setServers(servers)
  return resolver
}

export async function checkMailDomain(
  { config, branding }: MailDomainServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.checkMailDomain>> {
  const row = await readMailSettings(ctx.db)
  const from = mailFrom(config, branding().brand_name, row)
  const domain = domainOf(typeof from === 'string' ? from : from.address)
  const host = config.smtpUrl === null ? row.host : new URL(config.smtpUrl).hostname
  const resolver = createTxtResolver(config.dnsServers)
  const { dkim_selector: selector } = row
  return { domain, checks: await checkDomain(resolver, { domain, host, selector }) }
}

interface Asked {
  domain: string
  /** The mail server's host name. Empty if there is none. */
  host: string
  /** The DKIM selector. Empty if unknown. */
  selector: string
}

export function checkDomain(resolver: TxtResolver, asked: Asked): Promise<DomainCheck[]> {
  const { domain, host, selector } = asked
  const dkimName = `${selector || 'SELECTOR'}._domainkey.${domain}`
  return Promise.all([
    evaluate(
      'spf',
      domain,
      () => lookUp(resolver, domain),
      (records) => evaluateSpf(records, findSpfMechanism(host, domain)),
    ),
    selector === ''
      ? ({ check: 'dkim', name: dkimName, found: [], ...unknownSelector } as const)
      : evaluate('dkim', dkimName, () => lookUp(resolver, dkimName), evaluateDkim),
    evaluate(
      'dmarc',
      `_dmarc.${domain}`,
      () => lookUpDmarc(resolver, domain),
      (records) => evaluateDmarc(records, domain),
    ),
  ])
}

const unknownSelector = {
  state: 'unknown',
  message:
    'Your email provider shows a DKIM selector and record. Enter the selector to check the record.',
  record: null,
} as const

async function evaluate(
  check: DomainCheck['check'],
  name: string,
  look: () => Promise<string[]>,
  rule: (records: string[]) => RecordResult,
): Promise<DomainCheck> {
  try {
    const found = await look()
    return { check, name, ...rule(found) }
  } catch (error) {
    return {
      check,
      name,
      found: [],
      record: null,
      state: 'unknown',
      message: explainDnsError(error),
    }
  }
}

function explainDnsError(error: unknown): string {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  if (code === 'ETIMEOUT') return 'The DNS server did not respond in time. Check again in a minute.'
  if (code === 'ECONNREFUSED' || code === 'ECONNABORTED') {
    return 'This server cannot reach its DNS server. Check the network.'
  }
  if (code === 'ESERVFAIL') {
    return 'The DNS server of this domain returned an error. Ask your DNS provider.'
  }
  if (code === 'EBADNAME' || code === 'EFORMERR') return 'This is not a valid domain name.'
  return 'The DNS server returned an unexpected response. Check again in a minute.'
}

/** Returns the TXT records of a name. Empty if there are none. */
async function lookUp(resolver: TxtResolver, name: string): Promise<string[]> {
  try {
    const records = await resolver.resolveTxt(name)
    return records.map((parts) => parts.join(''))
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    throw error
  }
}

/**
 * Looks up the DMARC record of the domain, then of its parent domains, because a domain without a policy inherits
 * theirs.
 */
async function lookUpDmarc(resolver: TxtResolver, domain: string): Promise<string[]> {
  const labels = domain.split('.')
  for (let left = labels.length; left >= Math.min(2, labels.length); left -= 1) {
    const records = await lookUp(resolver, `_dmarc.${labels.slice(-left).join('.')}`)
    if (records.some((record) => /^v=dmarc1\b/i.test(record))) return records
  }
  return []
}

function domainOf(address: string): string {
  return (/@([^\s@>]+)>?\s*$/.exec(address)?.[1] ?? '').toLowerCase()
}
