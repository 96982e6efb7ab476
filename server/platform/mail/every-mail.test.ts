// Tests every email as text and as HTML. e2e/mails.test.ts shows them in a browser.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { renderMailHtml, renderMailText } from './mail-layout.ts'
import { mail as mailSchema } from './mail-texts.ts'
import { sampleMails } from './testing/sample-mails.ts'

const look = { brandName: 'Velour', accent: '#a8244f', picture: null }

test('every email has a sample', async () => {
  const files = (await readdir(import.meta.dirname)).filter((name) =>
    /^(?:mail-texts|[a-z-]+-mails?)\.ts$/.test(name),
  )
  const modules = await Promise.all(
    files.map((name) => import(join(import.meta.dirname, name)) as Promise<object>),
  )
  const names = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      name.endsWith('Mail') && typeof value === 'function' ? [name] : [],
    ),
  )
  expect(Object.keys(sampleMails).toSorted()).toEqual(names.toSorted())
})

test.each(
  Object.entries(sampleMails).flatMap(([name, mails]) =>
    mails.map((mail, variant) => ({ name, variant, mail })),
  ),
)('$name, variant $variant, has the same text and link in both versions', ({ mail }) => {
  expect(z.safeParse(mailSchema, mail).success).toBe(true)
  const text = renderMailText(mail, look)
  const html = renderMailHtml(mail, look)
  const htmlText = html
    .replaceAll(/<style>[^<]*<\/style>/g, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
  for (const line of [...mail.paragraphs, mail.closing, mail.button.label, mail.button.link]) {
    expect(text).toContain(line)
    expect(htmlText).toContain(line)
  }
  expect(html).toContain(`href="${mail.button.link.replaceAll('&', '&amp;')}"`)
  const { items = [], unsubscribe, body } = mail
  const pictures = items.filter(({ picture }) => picture !== null).length
  const links = 2 + items.length + (unsubscribe ? 1 : 0)
  expect(html.match(/<a /g)).toHaveLength(links + (body?.html.match(/<a /g)?.length ?? 0))
  for (const { title, detail, link } of items) {
    for (const word of [title, detail])
      expect([text, htmlText].every((all) => all.includes(word))).toBe(true)
    expect(text).toContain(link)
  }
  if (unsubscribe) {
    expect(text).toContain(unsubscribe.link)
    expect(htmlText).toContain(unsubscribe.label)
  }
  expect(mail.subject.length).toBeLessThanOrEqual(78)
  // The email contains no scripts, and loads only covers of this service.
  expect(html.match(/src=/g) ?? []).toHaveLength(pictures)
  expect(html).not.toMatch(/<script|<link|url\(|https?:\/\/(?!music\.example)/)
  expect(text + html).not.toMatch(/undefined|null|NaN|\[object/)
})
