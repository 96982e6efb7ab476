// Tests with DNS records that a real DNS server on loopback returns.
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { startTestDns, type TestDns, type TestZone } from '../../testing/test-dns.ts'
import { checkDomain, createTxtResolver } from './check-mail-domain.ts'

let dns: TestDns | null = null
afterEach(() => dns?.close())

const keyOf = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  }).publicKey.toString('base64')
const goodKey = `v=DKIM1; k=rsa; p=${keyOf(2048)}`

const domain = 'mail.example'
async function check(zone: TestZone, asked: { host?: string; selector?: string } = {}) {
  dns = await startTestDns(zone)
  const resolver = createTxtResolver([dns.address])
  const checks = await checkDomain(resolver, { domain, host: '', selector: 's1', ...asked })
  return Object.fromEntries(checks.map((one) => [one.check, one]))
}

test('accepts correct records, even if DNS splits a record into several strings', async () => {
  const found = await check(
    {
      'mail.example': ['google-site=1', 'v=spf1 include:_spf.google.com ~all'],
      's1._domainkey.mail.example': [goodKey],
      '_dmarc.mail.example': ['v=DMARC1; p=reject; rua=mailto:x@mail.example'],
    },
    { host: 'smtp.gmail.com' },
  )
  expect(found).toMatchObject({
    spf: { state: 'good', found: ['v=spf1 include:_spf.google.com ~all'], record: null },
    dkim: { state: 'good', name: 's1._domainkey.mail.example', found: [goodKey] },
    dmarc: { state: 'good', name: '_dmarc.mail.example' },
  })
})

test('returns the records to create when the domain has none', async () => {
  const found = await check({}, { host: 'email-smtp.eu-west-1.amazonaws.com', selector: '' })
  expect(found).toMatchObject({
    spf: { state: 'missing', record: 'v=spf1 include:amazonses.com ~all' },
    dkim: { state: 'unknown', record: null },
    dmarc: {
      state: 'missing',
      record: 'v=DMARC1; p=quarantine; rua=mailto:postmaster@mail.example',
    },
  })
})

test.each<[string, string[], string, string | null]>([
  ['several records', ['v=spf1 a ~all', 'v=spf1 mx -all'], 'wrong', 'v=spf1 a mx ~all'],
  ['+all', ['v=spf1 a +all'], 'wrong', 'v=spf1 a ~all'],
  ['all', ['v=spf1 all'], 'wrong', 'v=spf1 ~all'],
  ['?all', ['v=spf1 a ?all'], 'weak', 'v=spf1 a ~all'],
  ['no “all” term', ['v=spf1 a'], 'weak', 'v=spf1 a ~all'],
  ['a redirect', ['v=spf1 redirect=_spf.other.example'], 'good', null],
  [
    'too many lookups',
    [`v=spf1 ${Array.from({ length: 11 }, (_, n) => `include:s${n}.example`).join(' ')} -all`],
    'wrong',
    null,
  ],
  ['another kind of record', ['v=spf10 a ~all'], 'missing', 'v=spf1 include:YOUR-PROVIDER ~all'],
])('evaluates SPF with %s', async (_title, records, state, record) => {
  const { spf } = await check({ 'mail.example': records })
  expect(spf).toMatchObject({ state, record })
})

test('rates SPF as weak when it does not name the mail server', async () => {
  const { spf } = await check({ 'mail.example': ['v=spf1 mx -all'] }, { host: 'smtp.mail.example' })
  expect(spf).toMatchObject({ state: 'weak', record: 'v=spf1 a:smtp.mail.example mx -all' })
})

test.each<[string, string[], string]>([
  ['a revoked key', ['v=DKIM1; p='], 'wrong'],
  ['a truncated key', ['v=DKIM1; p=MIIBIjANBgkq'], 'wrong'],
  ['a short key', [`v=DKIM1; p=${keyOf(1024)}`], 'weak'],
  ['two keys', [goodKey, goodKey], 'wrong'],
  ['the test flag', [`${goodKey}; t=y`], 'weak'],
  ['no key', ['hello'], 'missing'],
])('evaluates DKIM with %s', async (_title, records, state) => {
  const { dkim } = await check({ 's1._domainkey.mail.example': records })
  expect(dkim).toMatchObject({ state })
})

test.each<[string, string[], string, string | null]>([
  ['p=none', ['v=DMARC1; p=none; pct=100'], 'weak', 'v=DMARC1; p=quarantine; pct=100'],
  ['a policy for half of the emails', ['v=DMARC1; p=reject; pct=50'], 'weak', 'v=DMARC1; p=reject'],
  ['no policy', ['v=DMARC1; rua=mailto:x@y.example'], 'wrong', expect.any(String)],
  ['two records', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'wrong', expect.any(String)],
])('evaluates DMARC with %s', async (_title, records, state, record) => {
  const { dmarc } = await check({ '_dmarc.mail.example': records })
  expect(dmarc).toMatchObject({ state, record })
})

test('a domain without a policy inherits the policy of its parent domain', async () => {
  dns = await startTestDns({ '_dmarc.mail.example': ['v=DMARC1; p=reject'] })
  const asked = { domain: 'news.mail.example', host: '', selector: '' }
  const [, , dmarc] = await checkDomain(createTxtResolver([dns.address]), asked)
  expect(dmarc).toMatchObject({ state: 'good', name: '_dmarc.news.mail.example' })
})

test('reports that the DNS server fails, times out, or cannot be reached', async () => {
  const { spf, dkim } = await check({
    'mail.example': null,
    's1._domainkey.mail.example': 'silent',
  })
  expect(spf).toMatchObject({
    state: 'unknown',
    message: expect.stringContaining('returned an error'),
  })
  expect(dkim).toMatchObject({ state: 'unknown', message: expect.stringContaining('in time') })
  const [offline] = await checkDomain(createTxtResolver(['127.0.0.1:1']), {
    domain,
    host: '',
    selector: '',
  })
  expect(offline).toMatchObject({
    state: 'unknown',
    message: expect.stringContaining('cannot reach'),
  })
}, 30_000)
