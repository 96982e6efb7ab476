// Kills the server with SIGKILL during work and restarts it. Acknowledged changes must be stored, nothing may be half
// done, and no temporary files or database processes may be left.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminTrack } from '../contract/admin/admin-tracks.ts'
import type { Output } from '../contract/endpoint.ts'
import type { listUploadParts } from '../contract/upload-parts.ts'
import {
  requestUpload,
  createApiClient,
  publishTrack,
  signInOwner,
  waitForTrack,
  type ApiClient,
} from './harness/api-client.ts'
import { makeWav } from './harness/make-wav.ts'
import { startService, waitUntil, type Service } from './harness/service.ts'

let service: Service
let owner: ApiClient

beforeAll(async () => {
  service = await startService()
  owner = await signInOwner(service.url)
})

afterAll(() => service.remove())

async function start(): Promise<void> {
  await service.start()
  owner = await signInOwner(service.url)
}

async function killAndStart(): Promise<void> {
  await service.kill()
  await start()
}

function postgresProcesses(): string[] {
  const list = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
  return list
    .split('\n')
    .filter((line) => line.includes(`${service.dataDir}/postgres/`) && line.includes('-D'))
}

test('resumes an upload after the server was killed', { timeout: 180_000 }, async () => {
  const wav = makeWav(400, 262)
  const signed = await requestUpload(owner, 'long.wav', 'audio/wav', wav.length)
  const list = async () => {
    const { body } = await owner.send('GET', `${signed.uploadUrl}/parts`)
    return body as unknown as Output<typeof listUploadParts>
  }
  const { part_bytes } = await list()
  const numbers = Array.from({ length: Math.ceil(wav.length / part_bytes) }, (_, i) => i + 1)
  const openPart = async (number: number) => {
    const { body } = await owner.send('POST', `${signed.uploadUrl}/parts`, { numbers: [number] })
    const [{ url }] = body['data'] as [{ url: string }]
    const part = wav.subarray((number - 1) * part_bytes, number * part_bytes)
    const headers = {
      cookie: owner.cookie(),
      'content-type': 'application/octet-stream',
      'content-length': part.length,
    }
    return { part, request: httpRequest(`${service.url}${url}`, { method: 'PUT', headers }) }
  }
  const send = async (number: number) => {
    const { part, request } = await openPart(number)
    request.end(part)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.resume().statusCode).toBe(204)
  }
  expect(numbers.length).toBeGreaterThanOrEqual(3)
  const [first, second] = numbers as [number, number]
  const last = numbers.at(-1)!
  await Promise.all([send(last), send(first)])
  const { part, request } = await openPart(second)
  const broken = once(request, 'error')
  request.write(part.subarray(0, part.length / 2))
  await waitUntil(async () => {
    const files = await listFilesBelow(join(service.dataDir, 'storage', 'tmp'))
    return files.length > 0
  }, 30_000)
  await service.kill()
  await broken
  await start()
  // Parts that were acknowledged are stored, and no others. Send the missing ones.
  const stored = (await list()).data.map(({ number }) => number)
  expect(stored).toEqual([first, last])
  for (const number of numbers) if (!stored.includes(number)) await send(number)
  const sha256 = createHash('sha256').update(wav).digest('hex')
  const complete = () => owner.send('POST', `${signed.uploadUrl}/complete`, { sha256 })
  expect((await complete()).status).toBe(204)
  expect((await complete()).status).toBe(204)

  const created = await owner.send('POST', '/api/admin-tracks', {
    action: 'create',
    title: 'Resumed',
    artist: 'A',
    is_published: true,
    audio_path: signed.path,
  })
  expect(created.status).toBe(201)
  const { id } = created.body['data'] as AdminTrack

  // Kill the server again while it processes the track.
  await waitUntil(async () => {
    const { body } = await owner.send('GET', `/api/admin-tracks/${id}`)
    return body['processing_status'] === 'processing'
  }, 30_000)
  await killAndStart()
  const track = await waitForTrack(owner, id)
  expect(track).toMatchObject({ is_published: true, duration: 400, processing_error: null })

  // Only the source and one object for each rendition and picture may exist, and no temporary files.
  const objects = await listFilesBelow(join(service.dataDir, 'storage', 'objects'))
  const audio = objects.filter((name) => name.endsWith('.m4a'))
  expect(audio.filter((name) => name.includes(id)).length).toBeGreaterThanOrEqual(3)
  expect(await listFilesBelow(join(service.dataDir, 'storage', 'tmp'))).toEqual([])
  expect(await listFilesBelow(join(service.dataDir, 'storage', 'parts'))).toEqual([])
})

async function listFilesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

test('keeps a deletion that was acknowledged before the server was killed, and can still undo it', async () => {
  const { id } = await publishTrack(owner, makeWav(2, 330), { title: 'Deleted' })
  const stream = async () => (await owner.fetch(`/api/tracks/${id}/stream`)).status
  expect((await owner.send('POST', '/api/admin-tracks', { action: 'delete', id })).status).toBe(200)
  await killAndStart()
  expect(await stream()).toBe(404)
  const restored = await owner.send('POST', '/api/admin-tracks/restore', { ids: [id] })
  expect(restored.body).toEqual({ data: [id] })
  await killAndStart()
  expect(await stream()).toBe(200)
})

test('accepts sign-ins to accounts whose creation was acknowledged before the server was killed', async () => {
  const emails = Array.from({ length: 8 }, (_, i) => `kill-${i}@example.com`)
  const acknowledged: string[] = []
  const signUps = emails.map(async (email) => {
    try {
      const response = await fetch(`${service.url}/api/auth/sign-up/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'a-long-password', name: '' }),
      })
      if (response.ok) acknowledged.push(email)
    } catch {
      // This sign-up got no response before the server was killed, so it wasn't acknowledged.
    }
  })
  await waitUntil(() => acknowledged.length >= 2, 20_000)
  await service.kill()
  await Promise.all(signUps)
  await start()
  for (const email of acknowledged) {
    const person = createApiClient(service.url)
    await person.signIn({ email, password: 'a-long-password' })
    const { body } = await person.send('GET', '/api/profile')
    expect(body['data']).toMatchObject({ email, role: 'member', is_premium: false })
  }
})

test('exits with an explanation if another server uses the same data folder', async () => {
  await expect(startService({ dataDir: service.dataDir })).rejects.toThrow(/data folder|already/i)
  expect((await owner.send('GET', '/api/profile')).status).toBe(200)
})

test('stops the database on shutdown, even if the signal arrives twice', async () => {
  // A signal to a process group may arrive twice: directly, and passed on by the parent process.
  process.kill(service.pid(), 'SIGTERM')
  expect(await service.stop()).toBe(0)
  expect(postgresProcesses()).toEqual([])
})

test('stops the database if it is shut down during startup', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'server', 'main.ts')], {
    env: { PATH: process.env['PATH'], DEMO: 'off', DATA_DIR: service.dataDir },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await waitUntil(() => postgresProcesses().length > 0, 20_000)
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(postgresProcesses()).toEqual([])
  await start()
  expect(postgresProcesses().length).toBeGreaterThan(0)
})
