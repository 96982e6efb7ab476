import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Profile } from '#contract/profiles.ts'
import { ApiError } from '../base/api/api.ts'
import { createQueryClient } from './query-client.ts'
import { sessionQuery } from '../base/session/session.ts'

const failing = (code: 'unauthenticated' | 'network' | 'maintenance', status: number) => {
  const tries: number[] = []
  const query = {
    queryKey: [code],
    queryFn: () => {
      tries.push(status)
      throw new ApiError(code, status, 'No')
    },
    retryDelay: 0,
  }
  return { query, tries }
}

test('refetches the session after an unauthenticated response', async () => {
  const client = createQueryClient()
  client.setQueryData(sessionQuery.queryKey, null)
  await expect(client.fetchQuery(failing('unauthenticated', 401).query)).rejects.toThrow('No')
  expect(client.getQueryState(sessionQuery.queryKey)?.isInvalidated).toBe(true)
})

test('retries only errors that may be transient', async () => {
  const client = createQueryClient()
  // `fetchQuery` does not retry by default, so pass the retry setting that mounted queries use.
  const retry = client.getDefaultOptions().queries?.retry
  const lost = failing('network', 0)
  await expect(client.fetchQuery({ ...lost.query, retry })).rejects.toThrow('No')
  expect(lost.tries).toHaveLength(3)
  const closed = failing('maintenance', 503)
  await expect(client.fetchQuery({ ...closed.query, retry })).rejects.toThrow('No')
  expect(closed.tries).toHaveLength(1)
})

const person = (id: string): Profile => ({
  id,
  email: `${id}@velour.test`,
  email_verified: true,
  display_name: '',
  avatar_url: null,
  role: 'member',
  subscription_status: 'inactive',
  subscription_tier: 'free',
  subscription_ends_at: null,
  trial_ends_at: null,
  payment_problem: null,
  is_premium: false,
  two_factor_enabled: false,
  second_factor_required: false,
})

test("removes a user's cached data when the session ends, but not when the profile changes", async () => {
  const client = createQueryClient()
  client.setQueryData(sessionQuery.queryKey, person('ada'))
  client.setQueryData(['playlists', 'own'], ['of Ada'])
  client.setQueryData(sessionQuery.queryKey, { ...person('ada'), display_name: 'Ada' })
  expect(client.getQueryData(['playlists', 'own'])).toEqual(['of Ada'])
  client.setQueryData(sessionQuery.queryKey, null)
  expect(client.getQueryData(['playlists', 'own'])).toBeUndefined()
})

test('refetches visible lists when the session of one user is replaced by that of another', async () => {
  const client = createQueryClient()
  client.setQueryData(sessionQuery.queryKey, person('ada'))
  let owner = 'Ada'
  const seen: unknown[] = []
  const list = new QueryObserver(client, {
    queryKey: ['playlists', 'own'],
    queryFn: async () => owner,
  })
  const leave = list.subscribe(({ data }) => seen.push(data))
  client.setQueryData(['likes'], ['of Ada'])
  await expect.poll(() => seen.at(-1)).toBe('Ada')
  owner = 'Ben'
  client.setQueryData(sessionQuery.queryKey, person('ben'))
  expect(list.getCurrentResult().data).toBeUndefined()
  expect(client.getQueryData(['likes'])).toBeUndefined()
  await expect.poll(() => seen.at(-1)).toBe('Ben')
  leave()
})
