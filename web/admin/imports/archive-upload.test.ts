// Tests the upload of an import archive, including reloads. Only the server is simulated.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as Upload from './archive-upload.ts'

const partBytes = 10
const user = 'ada'
const archive = (name = 'songs.zip', lastModified = 1) =>
  new File([`PK${'x'.repeat(partBytes * 3)}`], name, { lastModified })

let upload: typeof Upload
/** The numbers of the parts that the server has, by upload id. */
let stored: Map<string, Set<number>>
let log: string[]
/** Returns true for a part to which the simulated server doesn't respond. */
let isDown: (part: number) => boolean

beforeEach(async () => {
  indexedDB.deleteDatabase(`velour-archive-${user}`)
  stored = new Map()
  log = []
  isDown = () => false
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => Promise.resolve(respond(url, init)))
  vi.stubGlobal('XMLHttpRequest', PutRequest)
  await reload()
})
afterEach(() => vi.unstubAllGlobals())

async function reload(): Promise<void> {
  vi.resetModules()
  upload = await import('./archive-upload.ts')
}

const state = () => upload.useArchiveUpload.getState()
const idIn = (url: string) => /uploads\/([^/]+)/.exec(url)?.[1] ?? ''

function respond(url: string, { method = 'GET', body }: RequestInit): Response {
  const asked = body ? (JSON.parse(body as string) as { numbers?: number[] }) : {}
  if (url.endsWith('/upload-signed-url')) {
    const id = `upload-${stored.size + 1}`
    stored.set(id, new Set())
    log.push(`sign ${id}`)
    const signed = { path: id, uploadUrl: `/api/uploads/${id}`, uploadToken: 't' }
    return Response.json({ ...signed, transport: 'parts', expires_at: '' }, { status: 201 })
  }
  if (url.endsWith('/admin-imports')) {
    log.push(`import ${JSON.stringify(asked)}`)
    return Response.json({}, { status: 201 })
  }
  const id = idIn(url)
  const parts = stored.get(id)
  if (method === 'DELETE') {
    log.push(`delete ${id}`)
    return new Response(null, { status: 204 })
  }
  if (!parts) {
    const error = { code: 'upload_not_found', message: 'Gone' }
    return Response.json({ error }, { status: 404 })
  }
  if (url.endsWith('/complete')) return new Response(null, { status: 204 })
  if (method === 'GET') {
    const data = [...parts].map((number) => ({ number, byte_size: partBytes }))
    return Response.json({ byte_size: 32, part_bytes: partBytes, data, expires_at: '' })
  }
  const data = (asked.numbers ?? []).map((number) => ({
    number,
    url: `/api/uploads/${id}/parts/${number}`,
    byte_size: partBytes,
  }))
  return Response.json({ data, expires_at: '' })
}

class PutRequest {
  upload: { onprogress?: () => void } = {}
  onload?: () => void
  onerror?: () => void
  status = 0
  responseText = ''
  #url = ''
  open(_method: string, url: string) {
    this.#url = url
  }
  setRequestHeader() {}
  abort() {}
  send() {
    const part = Number(this.#url.split('/').at(-1))
    queueMicrotask(() => {
      if (isDown(part)) return this.onerror?.()
      stored.get(idIn(this.#url))?.add(part)
      log.push(`put ${part}`)
      this.status = 204
      return this.onload?.()
    })
  }
}

const send = (file = archive()) => upload.sendArchive(user, { file, handle: null })

test('uploads an archive and starts its import', async () => {
  expect(await send()).toBe(true)
  expect(log.at(-1)).toBe('import {"archive_path":"upload-1"}')
  expect([state().name, state().interrupted]).toEqual([null, null])
  await reload()
  expect(await upload.resumeArchive(user)).toBe(false)
  expect(state().interrupted).toBeNull()
})

test('uploads only the missing parts after a reload', async () => {
  isDown = (part) => part > 2
  expect(await send()).toBe(false)
  await reload()
  isDown = () => false
  log = []
  const isSent = await upload.resumeArchive(user)
  // The simulated browser stores no files, so the owner has to select the same file again.
  expect([isSent, state().interrupted]).toEqual([false, { name: 'songs.zip', needs: 'file' }])
  expect(await send()).toBe(true)
  expect(log).toEqual(['put 3', 'put 4', 'import {"archive_path":"upload-1"}'])
})

test('starts a new upload if a different or changed file is selected', async () => {
  isDown = (part) => part > 2
  await send()
  isDown = () => false
  log = []
  expect(await send(archive('songs.zip', 2))).toBe(true)
  expect(log[0]).toBe('sign upload-2')
})

test('starts a new upload if the server has discarded the old one', async () => {
  isDown = (part) => part > 2
  await send()
  isDown = () => false
  stored.delete('upload-1')
  log = []
  expect(await send()).toBe(true)
  expect(log.filter((entry) => entry.startsWith('put'))).toHaveLength(4)
})

test('deletes the uploaded parts when the user discards an interrupted upload', async () => {
  isDown = (part) => part > 2
  await send()
  expect(state().interrupted).not.toBeNull()
  await upload.discardArchive(user)
  expect(log.at(-1)).toBe('delete upload-1')
  await reload()
  await upload.resumeArchive(user)
  expect(state().interrupted).toBeNull()
})

test('packs a folder and uploads it as one archive', async () => {
  const found = [{ path: 'Songs/1.wav', file: new File(['one'], '1.wav') }]
  expect(await upload.sendArchive(user, { folder: 'Songs', found, handle: null })).toBe(true)
  expect(log.at(-1)).toMatch(/^import/)
})
