import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccessToken } from '#contract/access-tokens.ts'
import { createDeviceKey, maxKeysPerPerson } from '#contract/device-keys.ts'
import { readQueuedMails } from '../../testing/queued-mails.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('emails the owner about each new key, without the key itself', async () => {
  const mia = await app.makePerson()
  const { key } = (await mia.call(createDeviceKey, { body: { name: 'Phone' } })).body.data
  await mia.call(createDeviceKey, { body: { name: 'Podcasts', purpose: 'feed' } })
  const body = { name: 'Script', scopes: ['read' as const] }
  const { token } = (await mia.call(createAccessToken, { body })).body.data
  const mails = (await readQueuedMails(app)).filter(({ to }) => to === mia.email)
  expect(mails.map(({ subject }) => subject)).toEqual([
    'New device key for your Velour account',
    'New private feed for your Velour account',
    'New access token for your Velour account',
  ])
  expect(mails[0]?.paragraphs.join(' ')).toMatch(
    /It is called “Phone” and was created from the address \S+ on \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
  )
  const text = JSON.stringify(mails)
  expect(text).not.toContain(key)
  expect(text).not.toContain(token)
})

test('sends no email if creating a key is refused', async () => {
  const ben = await app.makePerson()
  const make = () => ben.call(createDeviceKey, { body: { name: 'Phone' } })
  for (let i = 0; i < maxKeysPerPerson; i++) await make()
  expect((await make()).code).toBe('too_many_keys')
  const mails = (await readQueuedMails(app)).filter(({ to }) => to === ben.email)
  expect(mails).toHaveLength(maxKeysPerPerson)
})
