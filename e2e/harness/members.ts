// Steps that many tests share: create an account, sign in, read an email, compute an authenticator code.
import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { waitUntil, type Service } from './service.ts'

export interface Member {
  email: string
  password: string
}

let members = 0

export function createMember(): Member {
  return { email: `member-${++members}@example.com`, password: 'a-members-password' }
}

/** Creates an account with the API, for tests that aren't about the sign-up form. */
export async function createAccount(service: Service, who = createMember()): Promise<Member> {
  const response = await fetch(`${service.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(who),
  })
  if (!response.ok) throw new Error(`Sign-up returned ${response.status}`)
  return who
}

/** Creates an account with a confirmed email address, which two-factor authentication requires. */
export async function createConfirmedAccount(service: Service): Promise<Member> {
  const who = await createAccount(service)
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${service.url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const cookies = (await post('sign-in/email', who)).headers.getSetCookie()
  const asked = await post(
    'send-verification-email',
    {},
    cookies.map((text) => text.split(';')[0]).join('; '),
  )
  if (!asked.ok) throw new Error(`Requesting a link returned ${asked.status}`)
  await fetch(await readMailedLink(service, who.email))
  return who
}

/** Fills in and submits the sign-in form that the page shows. */
export async function fillSignIn(page: Page, { email, password }: Member): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

export async function signIn(
  page: Page,
  service: Pick<Service, 'url'>,
  who: Member,
): Promise<void> {
  await page.goto(`${service.url}/auth`)
  await fillSignIn(page, who)
  await page.waitForURL(`${service.url}/`)
}

/** Waits for a toast with exactly this title and message. Dismisses it, so that it can't match again. */
export async function expectToast(page: Page, title: string, message?: string): Promise<void> {
  const toast = page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('listitem')
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter(message ? { has: page.getByText(message, { exact: true }) } : {})
  await toast.first().waitFor()
  await toast.first().getByRole('button', { name: 'Dismiss' }).click()
}

/** Returns the link with a token from the newest email to this address. Skips emails without such a link. */
export async function readMailedLink(service: Service, email: string, count = 1): Promise<string> {
  const outbox = join(service.dataDir, 'outbox')
  const readLinks = async () => {
    const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml')).toSorted()
    const mails = await Promise.all(
      names.map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))),
    )
    return mails
      .filter(({ to }) => to?.[0]?.address === email)
      .map(({ text }) => /https?:\/\/\S+/.exec(text ?? '')?.[0] ?? '')
      .filter((link) => /token=|#invitation=/.test(link))
  }
  let links: string[] = []
  await waitUntil(async () => (links = await readLinks()).length >= count, 10_000, 'the email')
  return links.at(-1)!
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Computes the six digits that an authenticator app shows (RFC 6238 and RFC 4226, SHA-1, 30 seconds). */
export function computeAuthenticatorCode(secret: string, timeMs = Date.now()): string {
  const bits = [...secret.replaceAll(' ', '')]
    .map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(timeMs / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.at(-1)! & 0xf
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000
  return String(number).padStart(6, '0')
}
