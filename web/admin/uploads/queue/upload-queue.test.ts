// Tests the upload queue. Only the network, the hashes and the transfers are simulated.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openUploadStorage, type UploadStorage } from './upload-storage.ts'
import type { FoundFile, UploadItem } from './upload-item.ts'
import { UploadQueue } from './upload-queue.ts'

let queue: UploadQueue
let storage: UploadStorage
/** The content of each file. Files with the same content have the same hash. */
let contents: Map<Blob, string>
let library: Map<string, { id: string; title: string }>
/** Uploads that are running, by file name. Tests complete or fail them. */
let sending: Map<string, { arrive: () => void; fail: (error: unknown) => void }>
let maxConcurrent: number
let imports: { audio_path: string; allow_duplicate: boolean }[]
let givenUp: string[]
let replaced: string[]
let isSessionOver: boolean
/** While true, the simulated server doesn't respond to the check for duplicates. */
let isSilent: boolean
let paths: number

const getHash = (content: string) =>
  Array.from(content, (letter) => letter.charCodeAt(0).toString(16))
    .join('')
    .padEnd(64, '0')
    .slice(0, 64)

beforeEach(async () => {
  contents = new Map()
  library = new Map()
  sending = new Map()
  maxConcurrent = 0
  imports = []
  givenUp = []
  replaced = []
  isSessionOver = false
  isSilent = false
  paths = 0
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (isSilent) await untilAborted(init.signal!)
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    return respond(`${init.method} ${new URL(url, 'http://velour.test').pathname}`, body)
  })
  storage = await openUploadStorage('0191a0c0-0000-7000-8000-0000000000aa')
  queue = createQueue()
})
afterEach(() => queue.stop())

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

function createQueue(): UploadQueue {
  return new UploadQueue({
    storage,
    hash: async (file) => getHash(contents.get(file) ?? ''),
    send: (file, _signed, { signal }) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          sending.delete(file.name)
          settle()
        }
        sending.set(file.name, {
          arrive: () => end(resolve),
          fail: (error) => end(() => reject(error)),
        })
        maxConcurrent = Math.max(maxConcurrent, sending.size)
        signal.addEventListener('abort', () =>
          end(() => reject(new DOMException('Given up', 'AbortError'))),
        )
      }),
    onChange: () => {},
  })
}

function respond(operation: string, body: unknown): Response {
  if (isSessionOver) {
    const error = { code: 'unauthenticated', message: 'Please sign in.' }
    return Response.json({ error }, { status: 401 })
  }
  if (operation === 'POST /api/admin-tracks/by-hash') {
    const { sha256 } = body as { sha256: string[] }
    const data = sha256.flatMap((hash) => {
      const track = library.get(hash)
      return track ? [{ sha256: hash, artist: 'Ada', ...track }] : []
    })
    return Response.json({ data })
  }
  if (operation === 'POST /api/upload-signed-url') {
    const path = `uploads/${++paths}.wav`
    const signed = { uploadUrl: `/api/uploads/${paths}`, uploadToken: 't', transport: 'parts' }
    return Response.json({ path, publicUrl: '', expires_at: '', ...signed })
  }
  if (operation === 'POST /api/admin-tracks/import') {
    imports.push(body as (typeof imports)[number])
    return Response.json({ data: { id: `track-${imports.length}` } })
  }
  if (operation.startsWith('PATCH /api/admin-tracks/')) {
    replaced.push(operation.slice('PATCH /api/admin-tracks/'.length))
    return Response.json({ id: replaced.at(-1) })
  }
  if (operation.startsWith('DELETE /api/uploads/')) {
    givenUp.push(operation.slice('DELETE '.length))
    return new Response(null, { status: 204 })
  }
  throw new Error(`Nobody answers ${operation}`)
}

function found(name: string, content = name): FoundFile {
  const file = new File([content], name, { type: 'audio/wav', lastModified: 1 })
  contents.set(file, content)
  return { file, path: `album/${name}` }
}

const item = (name: string): UploadItem => {
  const one = queue.view().items.find((other) => other.name === name)
  if (!one) throw new Error(`${name} is not in the list`)
  return one
}
const stages = () => Object.fromEntries(queue.view().items.map(({ name, stage }) => [name, stage]))
const isSending = async (...names: string[]) => {
  await expect.poll(() => [...sending.keys()].toSorted()).toEqual(names)
}
const arrive = (name: string) => sending.get(name)?.arrive()

test('uploads at most three files concurrently, and starts the next when one completes', async () => {
  const names = ['1.wav', '2.wav', '3.wav', '4.wav', '5.wav']
  await queue.add(names.map((name) => found(name)))
  await isSending('1.wav', '2.wav', '3.wav')
  arrive('2.wav')
  await isSending('1.wav', '3.wav', '4.wav')
  arrive('1.wav')
  arrive('3.wav')
  await isSending('4.wav', '5.wav')
  arrive('4.wav')
  arrive('5.wav')
  await expect.poll(() => names.map((name) => item(name).stage)).toEqual(names.map(() => 'arrived'))
  expect(maxConcurrent).toBe(3)
  expect(imports).toHaveLength(5)
})

test('uploads one of two identical files, and the other only after the user allows it', async () => {
  await queue.add([found('song.wav', 'same'), found('copy of song.wav', 'same')])
  await isSending('song.wav')
  await expect
    .poll(() => item('copy of song.wav'))
    .toMatchObject({ stage: 'known', known: { id: null, title: 'song.wav' } })
  arrive('song.wav')
  await expect.poll(() => item('song.wav').stage).toBe('arrived')
  expect(sending.size).toBe(0)
  queue.sendAnyway(item('copy of song.wav').id)
  await isSending('copy of song.wav')
  arrive('copy of song.wav')
  await expect.poll(() => item('copy of song.wav').stage).toBe('arrived')
  expect(imports.map(({ allow_duplicate }) => allow_duplicate)).toEqual([false, true])
})

test('skips a recording that is already in the library', async () => {
  library.set(getHash('known'), { id: 'track-9', title: 'Evening Song' })
  await queue.add([found('known.wav', 'known'), found('new.wav')])
  await isSending('new.wav')
  expect(item('known.wav')).toMatchObject({
    stage: 'known',
    known: { id: 'track-9', title: 'Evening Song' },
  })
})

test('replaces the recording of a track by its duplicate', async () => {
  library.set(getHash('known'), { id: 'track-9', title: 'Evening Song' })
  await queue.add([found('known.wav', 'known')])
  await expect.poll(() => item('known.wav').stage).toBe('known')
  queue.replaceKnown(item('known.wav').id)
  await isSending('known.wav')
  arrive('known.wav')
  await expect.poll(() => item('known.wav').stage).toBe('arrived')
  expect([replaced, imports]).toEqual([['track-9'], []])
})

test('stops a paused upload immediately, starts another file, and resumes the upload later', async () => {
  await queue.add(['1.wav', '2.wav', '3.wav', '4.wav'].map((name) => found(name)))
  await isSending('1.wav', '2.wav', '3.wav')
  queue.pause([item('2.wav').id])
  await isSending('1.wav', '3.wav', '4.wav')
  expect(item('2.wav')).toMatchObject({ stage: 'waiting', isPaused: true })
  const { signed } = item('2.wav')
  expect(signed).not.toBeNull()
  arrive('1.wav')
  await expect.poll(() => item('1.wav').stage).toBe('arrived')
  await isSending('3.wav', '4.wav')
  queue.resume([item('2.wav').id])
  await isSending('2.wav', '3.wav', '4.wav')
  expect(item('2.wav').signed).toEqual(signed)
})

test('does not start a file that was paused before its turn', async () => {
  await queue.add(['1.wav', '2.wav', '3.wav', '4.wav'].map((name) => found(name)))
  await isSending('1.wav', '2.wav', '3.wav')
  queue.pause([item('4.wav').id])
  arrive('1.wav')
  await expect.poll(() => item('1.wav').stage).toBe('arrived')
  await isSending('2.wav', '3.wav')
})

test('aborts a canceled upload, and removes the file from the list and the server', async () => {
  await queue.add([found('1.wav'), found('2.wav')])
  await isSending('1.wav', '2.wav')
  const { id, signed } = item('1.wav')
  await queue.cancel([id])
  await isSending('2.wav')
  expect(stages()).toEqual({ '2.wav': 'waiting' })
  expect(givenUp).toEqual([signed?.uploadUrl])
})

test('shows why a file failed, and uploads it from the start on retry', async () => {
  await queue.add([found('1.wav')])
  await isSending('1.wav')
  sending.get('1.wav')?.fail(new TypeError('broken'))
  await expect.poll(() => item('1.wav').stage).toBe('failed')
  expect(item('1.wav').reason).toBeTruthy()
  await queue.retry(item('1.wav').id)
  await isSending('1.wav')
  arrive('1.wav')
  await expect.poll(() => item('1.wav')).toMatchObject({ stage: 'arrived', reason: null })
})

test('retries an upload after a minute without progress', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await queue.add([found('1.wav')])
    await isSending('1.wav')
    const { signed } = item('1.wav')
    const first = sending.get('1.wav')
    await vi.advanceTimersByTimeAsync(60_000)
    await isSending()
    await vi.advanceTimersByTimeAsync(2_000)
    await isSending('1.wav')
    expect(sending.get('1.wav')).not.toBe(first)
    expect(item('1.wav').signed).toEqual(signed)
    arrive('1.wav')
    await expect.poll(() => item('1.wav').stage).toBe('arrived')
  } finally {
    vi.useRealTimers()
  }
})

test('retries the check for duplicates after a minute without a response', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    isSilent = true
    await queue.add([found('1.wav')])
    await vi.advanceTimersByTimeAsync(60_000)
    isSilent = false
    await vi.advanceTimersByTimeAsync(2_000)
    await expect.poll(() => [...sending.keys()]).toEqual(['1.wav'])
  } finally {
    vi.useRealTimers()
  }
})

test('stops all uploads when the session ends, and marks none as failed', async () => {
  await queue.add(['1.wav', '2.wav', '3.wav', '4.wav'].map((name) => found(name)))
  await isSending('1.wav', '2.wav', '3.wav')
  isSessionOver = true
  arrive('1.wav')
  await expect.poll(() => queue.view().isSignedOut).toBe(true)
  await isSending()
  expect(Object.values(stages())).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
})

test('skips files that are not music, and marks empty files as failed', async () => {
  await queue.add([found('notes.txt'), found('.hidden.wav'), found('empty.wav', '')])
  const text = new File(['a'], 'notes.txt', { type: 'text/plain' })
  await queue.add([{ file: text, path: 'album/readme.txt' }])
  expect(item('.hidden.wav').stage).toBe('left_out')
  expect(item('empty.wav')).toMatchObject({ stage: 'failed', reason: 'The file is empty.' })
  expect(queue.view().items.find(({ path }) => path === 'album/readme.txt')?.stage).toBe('left_out')
})

test('starts no upload after the queue is stopped', async () => {
  await queue.add([found('1.wav'), found('2.wav')])
  await isSending('1.wav', '2.wav')
  queue.stop()
  await isSending()
  expect(stages()).toEqual({ '1.wav': 'waiting', '2.wav': 'waiting' })
})
