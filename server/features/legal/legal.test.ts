import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deleteLegalPage,
  listLegalPages,
  publishLegalPage,
  saveLegalPage,
} from '#contract/admin/admin-legal.ts'
import { signUp } from '#contract/auth.ts'
import { footerPages, getTermsConsent, giveTermsConsent } from '#contract/legal.ts'
import { legalTemplates, findPlaceholders } from '#contract/legal-templates.ts'
import { getSite } from '#contract/site.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { renderMarkdown } from './render-legal-page.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const save = (slug: string, draft: string, title = 'Terms of Service') =>
  admin.call(saveLegalPage, { params: { slug }, body: { title, draft } })
const publish = (slug: string, asks_consent = false) =>
  admin.call(publishLegalPage, { params: { slug }, body: { asks_consent } })
const site = async () => (await app.nobody.call(getSite, {})).body
const open = async (path: string) => {
  const response = await fetch(app.url + path, { redirect: 'manual' })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

test.each(footerPages)(
  'the template of %s cannot be published until its placeholders are filled in',
  async (slug) => {
    const { text, title } = legalTemplates[slug]
    expect(findPlaceholders(text).length).toBeGreaterThan(1)
    expect((await save(slug, text, title)).status).toBe(200)
    expect((await publish(slug)).code).toBe('legal_page_unfinished')
    expect((await open(`/${slug}`)).status).toBe(404)
    expect((await site()).legal_pages).toEqual([])
    const params = { slug }
    expect((await admin.call(deleteLegalPage, { params })).status).toBe(204)
    expect((await admin.call(deleteLegalPage, { params })).code).toBe('legal_page_not_found')
  },
)

test('a page has a draft that only admins can read, and versions that never change', async () => {
  await save('privacy', '# First\n\nText of *one*.', 'Privacy Policy')
  await publish('privacy')
  await save('privacy', 'Text of two.', 'Privacy Policy')
  const first = await open('/privacy')
  expect(first.text).toContain('<em>one</em>')
  expect(first.text).not.toContain('two')
  expect(first.text).toMatch(/Version 1 of\s*<time datetime="\d{4}-\d\d-\d\d">/)
  const { body } = await publish('privacy')
  expect(body.versions.map(({ number }) => number)).toEqual([2, 1])
  expect(body.is_changed).toBe(false)
  expect((await open('/privacy')).text).toContain('Text of two.')
  const old = await open('/privacy?version=1')
  expect(old.text).toContain('<em>one</em>')
  expect(old.text).toContain('no longer in force')
  expect(old.text).toContain('noindex')
  expect((await open('/privacy?version=3')).status).toBe(404)
  expect((await open('/privacy?version=x')).status).toBe(404)
  expect((await site()).legal_pages).toEqual([{ slug: 'privacy', title: 'Privacy Policy' }])
  const params = { slug: 'privacy' }
  expect((await admin.call(deleteLegalPage, { params })).code).toBe('legal_page_published')
  await expect(app.asOwner(`update legal_versions set body = 'x'`)).rejects.toThrow('append-only')
})

test('custom pages have URLs below /legal, and hidden ones return 404', async () => {
  await save('imprint', 'Me.', 'Imprint')
  await publish('imprint')
  expect((await open('/legal/imprint')).status).toBe(200)
  expect((await open('/legal/privacy')).headers.get('location')).toBe('/privacy')
  const hide = { title: 'Imprint', draft: 'Me.', is_shown: false }
  await admin.call(saveLegalPage, { params: { slug: 'imprint' }, body: hide })
  expect((await open('/legal/imprint')).status).toBe(404)
  expect((await open('/legal/imprint?version=1')).status).toBe(404)
  expect((await site()).legal_pages).toHaveLength(1)
})

test('pages are available during maintenance mode', async () => {
  await app.asOwner('update settings set maintenance_mode = true')
  await app.services.settings.reload()
  expect((await open('/privacy')).status).toBe(200)
  await app.asOwner('update settings set maintenance_mode = false')
  await app.services.settings.reload()
})

test('renders the text as Markdown without HTML, scripts or pictures from other sites', () => {
  const text = [
    '<script>alert(1)</script> <b onclick="x()">bold</b>',
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) [d](https://ok.example)',
    '![p](https://evil.example/p.png)',
    '<javascript:alert(1)> [e](javascript&#58;alert(1)) [f][x] [g](https://a.example/"onclick="x)',
    '[x]: <javascript:alert(1)> "t"',
    '<!-- <script> --> `<script>` \\<script>',
    '```"><script>\n<script>\n```',
    '| <script> |\n|---|\n| <img src=x onerror=y> |',
  ].join('\n\n')
  const shown = renderMarkdown(text).text
  expect(shown).not.toMatch(/<script|<b |<img|href="(?:javascript|data|\/\/)|"onclick/)
  expect(shown).toContain('<a href="https://ok.example" rel="noopener nofollow">d</a>')
})

test('asks members once to consent to a version that requires consent, even if a later version does not', async () => {
  const member = await app.makePerson()
  const readConsent = async () => (await member.call(getTermsConsent, {})).body.data
  await save('terms', 'One.')
  await publish('terms')
  expect(await readConsent()).toBeNull()
  expect((await site()).consent_number).toBeNull()
  await save('terms', 'Two.')
  await publish('terms', true)
  await save('terms', 'Three.')
  await publish('terms')
  expect((await site()).consent_number).toBe(2)
  expect(await readConsent()).toMatchObject({ number: 3, title: 'Terms of Service' })
  expect((await admin.call(getTermsConsent, {})).body.data).toBeNull()
  // Members who have not consented can still use everything else.
  expect((await member.send('GET', '/api/playlists')).status).toBe(200)
  expect((await member.call(giveTermsConsent, { body: { number: 9 } })).code).toBe(
    'legal_page_not_found',
  )
  expect((await member.call(giveTermsConsent, { body: { number: 1 } })).body.data).not.toBeNull()
  expect((await member.call(giveTermsConsent, { body: { number: 3 } })).body.data).toBeNull()
  expect((await member.call(giveTermsConsent, { body: { number: 3 } })).status).toBe(200)
  expect(await readConsent()).toBeNull()
  const { body } = await member.send('GET', '/api/profile/data')
  expect(body).toMatchObject({
    terms_consents: [
      { version: 1, way: 'asked' },
      { version: 3, way: 'asked' },
    ],
  })
  const { data } = (await admin.call(listLegalPages, {})).body
  expect(data.find(({ slug }) => slug === 'terms')?.versions[0]).toMatchObject({ consents: 1 })
})

test('signing up records consent to the current version', async () => {
  const body = { email: 'new@velour.test', password: 'a-long-passphrase' }
  expect((await app.nobody.call(signUp, { body })).status).toBe(200)
  const rows = await app.services.db.query
    .selectFrom('terms_consents as c')
    .innerJoin('profiles as p', 'p.id', 'c.user_id')
    .select(['c.number', 'c.way'])
    .where('p.email', '=', body.email)
    .execute()
  expect(rows).toEqual([{ number: 3, way: 'sign_up' }])
})

test('refuses to save an outdated version, and allows only admins to edit', async () => {
  const { data } = (await admin.call(listLegalPages, {})).body
  const { version } = data.find(({ slug }) => slug === 'terms')!
  await save('terms', 'Newer.')
  const late = { title: 'Terms', draft: 'Late.', version }
  const response = await admin.call(saveLegalPage, { params: { slug: 'terms' }, body: late })
  expect(response.code).toBe('changed_meanwhile')
  const member = await app.makePerson()
  expect((await member.call(listLegalPages, {})).status).toBe(403)
  expect((await member.send('GET', '/api/admin-legal-pages/terms/preview')).status).toBe(403)
  const preview = await fetch(`${app.url}/api/admin-legal-pages/terms/preview`, {
    headers: { cookie: admin.cookie },
  })
  expect(await preview.text()).toContain('Newer.')
})
