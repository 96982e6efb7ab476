import { expect, test } from 'vitest'
import { ApiError } from './api.ts'
import { createQueryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'

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

test('an answer that knows no session makes the app ask who is signed in', async () => {
  const client = createQueryClient()
  client.setQueryData(sessionQuery.queryKey, null)
  await expect(client.fetchQuery(failing('unauthenticated', 401).query)).rejects.toThrow('No')
  expect(client.getQueryState(sessionQuery.queryKey)?.isInvalidated).toBe(true)
})

test('tries again where that may help, and only there', async () => {
  const client = createQueryClient()
  // fetchQuery retries only when told to; the default is that of every query on screen.
  const retry = client.getDefaultOptions().queries?.retry
  const lost = failing('network', 0)
  await expect(client.fetchQuery({ ...lost.query, retry })).rejects.toThrow('No')
  expect(lost.tries).toHaveLength(3)
  const closed = failing('maintenance', 503)
  await expect(client.fetchQuery({ ...closed.query, retry })).rejects.toThrow('No')
  expect(closed.tries).toHaveLength(1)
})
