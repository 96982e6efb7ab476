import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { replaceSession, sessionQuery } from './session.ts'

const ada = { email: 'ada@velour.test' }
let cookie: 'old' | 'new'

beforeEach(() => {
  cookie = 'old'
  vi.stubGlobal('fetch', async () => Response.json({ data: cookie === 'new' ? ada : null }))
})
afterEach(() => vi.unstubAllGlobals())

test('makes a session query wait for a pending change of the session, and resolves it with the new session', async () => {
  const queryClient = new QueryClient()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const replacing = replaceSession(queryClient, () => {
    begin()
    return answered
  })
  await begun
  const asking = queryClient.fetchQuery(sessionQuery)
  cookie = 'new'
  answer()
  expect(await asking).toEqual(ada)
  await replacing
})

test('still fetches the session after a change of the session has failed', async () => {
  const queryClient = new QueryClient()
  const refusal = new Error('Wrong code')
  await expect(replaceSession(queryClient, () => Promise.reject(refusal))).rejects.toBe(refusal)
  cookie = 'new'
  expect(await queryClient.fetchQuery(sessionQuery)).toEqual(ada)
})
