// Tests docs/webhooks.md: its examples match the events that are sent, its code verifies messages, and its table
// matches the retry schedule.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  webhookData,
  webhookEventTypes,
  webhookPayload,
  webhookTestType,
} from '#contract/webhook-events.ts'
import { retryDelays } from './retry-schedule.ts'
import { generateWebhookSecret, signWebhook } from './sign-webhook.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code!)

test('each event type has a valid example under its heading in docs/webhooks.md', () => {
  const examples = blocks('json').map((text) => z.parse(webhookPayload, JSON.parse(text)))
  expect(examples.map(({ type }) => type).toSorted()).toEqual(webhookEventTypes.toSorted())
  const headings = [...page.matchAll(/^### `(.+)`$/gm)].map(([, type]) => type)
  expect(headings).toEqual([...examples.map(({ type }) => type), webhookTestType])
  for (const type of webhookEventTypes) {
    const example = examples.find((one) => one.type === type)!
    expect(z.parse<z.ZodMiniType>(webhookData[type], example.data), type).toEqual(example.data)
  }
})

test('the documented Node code verifies a message, and rejects changed and old messages', async () => {
  const [code = ''] = blocks('js')
  const { verify } = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
  )) as { verify: (secret: string, headers: Record<string, string>, body: string) => unknown }
  const [secret, old] = [generateWebhookSecret(), generateWebhookSecret()]
  const body = '{"title":"Ü 音楽"}'
  const sign = (now: Date) => signWebhook([secret, old], { id: 'x', body, now })
  expect(verify(secret, sign(new Date()), body)).toEqual(JSON.parse(body))
  expect(verify(old, sign(new Date()), body)).toEqual(JSON.parse(body))
  expect(() => verify(secret, sign(new Date()), `${body} `)).toThrow('wrong signature')
  expect(() => verify(secret, sign(new Date(0)), body)).toThrow('too old')
})

test('the documented retry table matches the schedule', () => {
  const [, row = ''] = /^\| after \|(.+)\|$/m.exec(page) ?? []
  const units = { s: 1, min: 60, h: 3600 }
  const seconds = row.split('|').map((cell) => {
    const [count, unit] = cell.trim().split(' ')
    return Number(count) * units[unit as keyof typeof units]
  })
  expect(seconds).toEqual([...retryDelays])
})
