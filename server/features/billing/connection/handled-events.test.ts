import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { handledEvents } from './handled-events.ts'

test('subscribes to exactly the Stripe events that the server handles', () => {
  const sources = ['../stripe-event.ts', '../stripe-refund-event.ts'].map((name) =>
    readFileSync(new URL(name, import.meta.url), 'utf8'),
  )
  const read = sources
    .join('\n')
    .matchAll(/'((?:checkout|customer|invoice|charge|refund)\.[\w.]+)'/g)
  const names = new Set(Array.from(read, ([, name]) => name))
  expect(new Set<string>(handledEvents)).toEqual(names)
})
