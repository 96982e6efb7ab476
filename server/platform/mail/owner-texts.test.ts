import { expect, test } from 'vitest'
import { findUnknownVariables, mailKindNames, listVariables } from '#contract/mail/mail-kinds.ts'
import { renderMailHtml, renderMailText } from './mail-layout.ts'
import { createSampleMail } from './mail-samples.ts'
import { applyOwnerTexts } from './owner-texts.ts'

const site = { publicUrl: 'https://music.example', brandName: 'Velour' }
const look = { brandName: 'Velour', accent: '#a8244f', picture: null }
const none = { subject: null, opening: null, closing: null }
const sample = (kind: Parameters<typeof createSampleMail>[0], name = 'Mia') => {
  const mail = createSampleMail(kind, 'mia@example.com', site)
  return { ...mail, own: { ...mail.own!, values: { ...mail.own!.values, name } } }
}

test.each(mailKindNames)('%s has a value for each of its variables', (kind) => {
  const { own, paragraphs } = sample(kind)
  expect(own.kind).toBe(kind)
  expect(own.replaces).toBeLessThanOrEqual(paragraphs.length)
  const texts = {
    ...none,
    opening: listVariables(kind)
      .map((name) => `{{${name}}}`)
      .join(' '),
  }
  const text = renderMailText(applyOwnerTexts(sample(kind), texts, look), look)
  expect(text).not.toContain('{{')
})

test('an opening replaces the greeting and keeps the charged amount', () => {
  const texts = {
    subject: 'Thanks, {{name}}',
    opening: 'Dear {{ name }},\n\nyou make {{service}} happen.',
    closing: 'See [our site](https://ada.example/a?b=1&c=2).',
  }
  const mail = applyOwnerTexts(sample('receipt'), texts, look)
  const text = renderMailText(mail, look)
  expect(mail.subject).toBe('Thanks, Mia')
  expect(text).toMatch(/^Dear Mia,\n\nyou make Velour happen\.\n\nWe have received \$9\.99/)
  expect(text).not.toContain('Hello,')
  expect(text).toContain('See our site (https://ada.example/a?b=1&c=2).\n\nNo action is needed.')
  expect(renderMailHtml(mail, look)).toContain('href="https://ada.example/a?b=1&amp;c=2"')
})

test('turns neither typed text nor values of variables into HTML or unsafe links', () => {
  const evil = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) https://evil.example "q"'
  const texts = {
    ...none,
    opening: '<b>{{name}}</b> [a](javascript:alert(2))',
    closing: '{{name}}',
  }
  const mail = applyOwnerTexts(sample('welcome', evil), texts, look)
  const html = mail.opening!.html + mail.ending!.html
  expect(html).not.toMatch(/<(?!\/?p\b|br>)/)
  expect(html).toContain('&lt;b&gt;')
  expect(html).not.toContain('<a ')
})

test('greets a recipient without a name', () => {
  const texts = { ...none, subject: 'Hello {{name}}' }
  expect(applyOwnerTexts(sample('gift', ''), texts, look).subject).toBe('Hello there')
})

test.each([
  ['Hi {{name}}, {{ service }}', []],
  ['{{nmae}} and {{amount}}', ['{{nmae}}', '{{amount}}']],
  ['{{name', ['{{name']],
  ['name}} {{#if x}}', ['{{#if x}}', 'name}}']],
  ['{{constructor}}', ['{{constructor}}']],
])('finds the unknown variables of %s', (text, unknown) => {
  expect(findUnknownVariables(text, 'welcome')).toEqual(unknown)
})
