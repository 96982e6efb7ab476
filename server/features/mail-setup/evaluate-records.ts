// Evaluates the DNS records of a domain. Each result has a message and, if something is missing or wrong, the record to
// create.
import { createPublicKey } from 'node:crypto'
import type { DomainCheck } from '#contract/admin/service/admin-mail.ts'

export type RecordResult = Pick<DomainCheck, 'state' | 'message' | 'found' | 'record'>

/** An SPF record that needs more DNS lookups than this is invalid (RFC 7208 §4.6.4). */
const maxSpfLookups = 10

/** Evaluates SPF records. `mechanism` is the SPF term that allows the mail server, or null if it is unknown. */
export function evaluateSpf(records: readonly string[], mechanism: string | null): RecordResult {
  const found = records.filter((record) => /^v=spf1(?: |$)/i.test(record))
  const toResult = (
    state: RecordResult['state'],
    message: string,
    record: string | null = null,
  ) => ({
    state,
    message,
    found,
    record,
  })
  const fresh = `v=spf1 ${mechanism ?? 'include:YOUR-PROVIDER'} ~all`
  const [only = ''] = found
  if (found.length === 0) {
    const named =
      mechanism === null ? ' Your email provider tells you what to enter for YOUR-PROVIDER.' : ''
    return toResult(
      'missing',
      `There is no SPF record, so any server may send as you.${named}`,
      fresh,
    )
  }
  if (found.length > 1) {
    return toResult(
      'wrong',
      'There are several SPF records. Receivers then ignore all of them. Keep one that names every server.',
      mergeSpf(found),
    )
  }
  const terms = only.toLowerCase().split(/\s+/).slice(1)
  const end = terms.find((term) => /^[+?~-]?all$/.test(term))
  const lookups = terms.filter((term) =>
    /^[+?~-]?(?:include:|exists:|redirect=|(?:a|mx|ptr)(?:$|[:/]))/.test(term),
  ).length
  if (end === 'all' || end === '+all') {
    return toResult(
      'wrong',
      '“+all” lets every server in the world send as you. End the record with “~all”.',
      only.replace(/\s\+?all\b/i, ' ~all'),
    )
  }
  if (lookups > maxSpfLookups) {
    return toResult(
      'wrong',
      `The record needs ${lookups} lookups. With more than ${maxSpfLookups}, it is invalid.`,
    )
  }
  if (mechanism !== null && !hasMechanism(terms, mechanism)) {
    return toResult(
      'weak',
      'The record does not name your mail server. Unless another part of it covers the server, add it.',
      only.replace(/^v=spf1/i, `v=spf1 ${mechanism}`),
    )
  }
  if (
    end === '?all' ||
    (end === undefined && !terms.some((term) => term.startsWith('redirect=')))
  ) {
    return toResult(
      'weak',
      'The record has no rule for email from other servers. End it with “~all”.',
      `${only.replace(/\s\?all\b/i, '')} ~all`,
    )
  }
  return toResult('good', 'Receivers know which servers may send as you.')
}

const hasMechanism = (terms: readonly string[], mechanism: string) =>
  terms.some((term) => term.replace(/^[+?~-]/, '') === mechanism.toLowerCase()) ||
  terms.some((term) => term.startsWith('redirect='))

function mergeSpf(records: readonly string[]): string {
  const terms = records.flatMap((record) => record.split(/\s+/).slice(1))
  const named = terms.filter((term) => !/^[+?~-]?all$/i.test(term))
  return ['v=spf1', ...new Set(named), '~all'].join(' ')
}

const recommendedKeyBits = 2048
const minKeyBits = 1024

export function evaluateDkim(records: readonly string[]): RecordResult {
  const found = records.filter((record) => /(?:^|;)\s*p=/i.test(record))
  const toResult = (state: RecordResult['state'], message: string) => ({
    state,
    message,
    found,
    record: null,
  })
  const [only = ''] = found
  if (found.length === 0) {
    return toResult(
      'missing',
      'There is no DKIM key under this selector. Add the record from your email provider, or correct the selector.',
    )
  }
  if (found.length > 1)
    return toResult('wrong', 'There are several keys under this selector. Keep one.')
  const key = tagOf(only, 'p').replaceAll(/\s/g, '')
  if (key === '')
    return toResult('wrong', 'The key was revoked: its “p” is empty. Create a new one.')
  const version = tagOf(only, 'v')
  if (version !== '' && version !== 'DKIM1')
    return toResult('wrong', 'The record must begin with “v=DKIM1”.')
  if (tagOf(only, 'k') === 'ed25519') return toResult('good', 'Email can be signed with this key.')
  const bits = readKeyBits(key)
  if (bits === null)
    return toResult('wrong', 'The key cannot be read. It may have been cut off when it was copied.')
  if (bits < minKeyBits)
    return toResult('wrong', `The key has ${bits} bits. Receivers ignore keys that short.`)
  if (bits < recommendedKeyBits)
    return toResult(
      'weak',
      `The key has ${bits} bits. ${recommendedKeyBits} bits are standard today.`,
    )
  return tagOf(only, 't').includes('y')
    ? toResult('weak', 'The key is in test mode (“t=y”), so receivers ignore it. Remove that flag.')
    : toResult('good', 'Email can be signed with this key.')
}

function readKeyBits(base64: string): number | null {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.modulusLength ?? null
  } catch {
    // The key does not have the format of a public key.
    return null
  }
}

export function evaluateDmarc(records: readonly string[], domain: string): RecordResult {
  const found = records.filter((record) => /^v=dmarc1\b/i.test(record))
  const toResult = (
    state: RecordResult['state'],
    message: string,
    record: string | null = null,
  ) => ({
    state,
    message,
    found,
    record,
  })
  const fresh = `v=DMARC1; p=quarantine; rua=mailto:postmaster@${domain}`
  const [only = ''] = found
  if (found.length === 0) {
    return toResult(
      'missing',
      'There is no DMARC policy. Large email providers reject news from domains without one.',
      fresh,
    )
  }
  if (found.length > 1) {
    return toResult(
      'wrong',
      'There are several DMARC records. Receivers then ignore all of them. Keep one.',
      fresh,
    )
  }
  const policy = tagOf(only, 'p').toLowerCase()
  if (policy === 'none') {
    return toResult(
      'weak',
      '“p=none” only monitors: email that others send as you still arrives. Once SPF and DKIM are correct, use “quarantine”.',
      only.replace(/p\s*=\s*none/i, 'p=quarantine'),
    )
  }
  if (policy !== 'quarantine' && policy !== 'reject') {
    return toResult('wrong', 'The record has no valid policy.', fresh)
  }
  const percent = tagOf(only, 'pct')
  if (percent !== '' && Number(percent) < 100) {
    return toResult(
      'weak',
      `The policy applies to only ${percent} % of email.`,
      only.replace(/;?\s*pct\s*=\s*\d+/i, ''),
    )
  }
  return toResult(
    'good',
    `Receivers ${policy === 'reject' ? 'reject' : 'quarantine'} email that others send as you.`,
  )
}

/** Returns the value of a tag in a DKIM or DMARC record, such as `p=`. Empty if the tag is missing. */
function tagOf(record: string, name: string): string {
  const tags = record.split(';').map((tag) => tag.split('='))
  const [, ...value] = tags.find(([key = '']) => key.trim().toLowerCase() === name) ?? []
  return value.join('=').trim()
}
