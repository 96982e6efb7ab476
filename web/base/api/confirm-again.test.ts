import { afterEach, expect, test, vi } from 'vitest'
import { send } from './api.ts'
import { useConfirmQuestion } from './confirm-again.ts'

afterEach(() => vi.unstubAllGlobals())

/** Simulates a server that rejects every request until the dialog is confirmed. */
function serveUntilConfirmed() {
  const state = { isConfirmed: false, requests: [] as string[] }
  vi.stubGlobal('fetch', async (url: string, init: { method: string; body?: string }) => {
    state.requests.push(`${init.method} ${url} ${init.body ?? ''}`.trim())
    if (state.isConfirmed) return new Response(null, { status: 204 })
    const error = { code: 'reauthentication_required', message: 'Please confirm' }
    return Response.json({ error }, { status: 403 })
  })
  return state
}
const openQuestion = () => useConfirmQuestion.getState().question

test('opens one dialog for concurrent calls, and sends each call again with its body', async () => {
  const server = serveUntilConfirmed()
  const questions = new Set<number>()
  const stop = useConfirmQuestion.subscribe(({ question }) => {
    if (question) questions.add(question.number)
  })
  const calls = ['/a', '/b', '/c'].map((url) => send(url, { method: 'POST', body: { url } }))
  await vi.waitFor(() => expect(server.requests).toHaveLength(3))
  await vi.waitFor(() => expect(openQuestion()).not.toBeNull())
  // Give the client time to read all three responses.
  await new Promise((resolve) => setTimeout(resolve))
  server.isConfirmed = true
  openQuestion()!.answer(true)
  const answers = await Promise.all(calls)
  stop()
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
  expect(questions.size).toBe(1)
  expect(server.requests.slice(3).toSorted()).toEqual(server.requests.slice(0, 3).toSorted())
})

test('rejects every pending call with its own error when the dialog is canceled', async () => {
  const server = serveUntilConfirmed()
  const calls = ['/a', '/b'].map((url) => send(url, { method: 'DELETE' }))
  const settled = Promise.allSettled(calls)
  await vi.waitFor(() => expect(server.requests).toHaveLength(2))
  await vi.waitFor(() => expect(openQuestion()).not.toBeNull())
  await new Promise((resolve) => setTimeout(resolve))
  openQuestion()!.answer(false)
  for (const result of await settled) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { code: 'reauthentication_required' },
    })
  }
  expect(server.requests).toHaveLength(2)
})
