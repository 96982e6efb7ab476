// Fills a small file system. The server must reject uploads with 507, jobs must wait, and the database stops writing.
// When there is space again, everything must recover without a restart, with all acknowledged writes.
import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { waitUntil } from '../../e2e/harness/service.ts'
import {
  auditAll,
  uploadTrack,
  openWorld,
  createWriters,
  type FaultWorld,
} from '../load/fault-world.ts'
import { startLoad, type Load } from '../load/load.ts'
import { startOneProcess } from '../load/one-process.ts'
import type { Writer } from '../load/writer.ts'

const megabyte = 1000 ** 2
/** Larger than the 500 MB of free space below which the server rejects uploads. */
const sizeMegabytes = 1200

let mountPoint: string
let world: FaultWorld
let writers: Writer[]
let load: Load

beforeAll(async () => {
  mountPoint = await mountSmallDisk()
  world = await openWorld(await startOneProcess({ dataDir: join(mountPoint, 'data') }))
  writers = createWriters(world)
  load = startLoad(writers)
  await load.pause()
})
afterEach(async () => {
  await freeDisk()
  await load.pause()
})
afterAll(async () => {
  await world.close()
  execFileSync('umount', [mountPoint])
  await rm(mountPoint, { recursive: true })
})

/** Mounts a small tmpfs, because only a real file system can get full. The tests fail without permission to mount. */
async function mountSmallDisk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-small-disk-'))
  try {
    const size = `size=${sizeMegabytes}m,mode=755`
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'velour-small-disk', folder], {
      stdio: 'pipe',
    })
  } catch (cause) {
    await rm(folder, { recursive: true })
    throw new Error(
      'The disk-full journey mounts a small file system of its own and needs root (CAP_SYS_ADMIN) for it: ' +
        'run `npm run test:faults` as root, or in a container with --cap-add SYS_ADMIN.',
      { cause },
    )
  }
  return folder
}

const filler = () => join(mountPoint, 'filler')

/** Writes a file until only `leave` bytes of the disk are free. */
async function fillDisk(leave: number): Promise<void> {
  const { bavail, bsize } = await statfs(mountPoint)
  const file = await open(filler(), 'a')
  const piece = Buffer.alloc(megabyte, 1)
  try {
    for (let left = bavail * bsize - leave; left > 0; left -= megabyte) {
      await file.write(piece, 0, Math.min(left, megabyte))
    }
  } catch (error) {
    // Ignore a full disk: other processes also write, so there may be less space than was measured.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    await file.close()
  }
}

async function freeDisk(): Promise<void> {
  await rm(filler(), { force: true })
}

async function requestUpload(size: number) {
  const body = { bucket: 'audio', filename: 'a.wav', mime: 'audio/wav', size }
  return world.owner.send('POST', '/api/upload-signed-url', { body })
}

test('rejects an upload before it starts if the disk has too little space', async () => {
  await fillDisk(300 * megabyte)
  await sleep(1100)
  expect(await requestUpload(1000)).toMatchObject({ status: 507, code: 'storage_full' })
  await freeDisk()
  await waitUntil(async () => (await requestUpload(1000)).status === 201, 10_000)
  expect(await auditAll(world, writers), `FAULT_SEED=${world.chance.seed}`).toEqual([])
})

test('an upload during which the disk gets full returns 507, and succeeds when it is retried with space', async () => {
  const wav = makeWav(400, 300)
  const { body } = (await requestUpload(wav.length)) as { body: Record<string, string> }
  const send = () => {
    let sent = 0
    const pieces = new ReadableStream<Uint8Array>({
      async pull(stream) {
        if (sent === 0) stream.enqueue(wav.subarray(0, 2 * megabyte))
        else {
          // Fill the disk before the rest of the upload is sent.
          if (isToFill) await fillDisk(0)
          stream.enqueue(wav.subarray(2 * megabyte))
          stream.close()
        }
        sent++
      },
    })
    return world.owner.fetch(body['uploadUrl']!, {
      method: 'PUT',
      headers: { 'upload-token': body['uploadToken']!, 'content-type': 'audio/wav' },
      body: pieces,
      duplex: 'half',
    } as RequestInit)
  }
  let isToFill = true
  const refused = await send()
  expect(refused.status).toBe(507)
  expect(await refused.json()).toMatchObject({ error: { code: 'storage_full' } })
  isToFill = false
  await freeDisk()
  await sleep(1100)
  await waitUntil(isReady, 60_000, 'the database')
  expect((await send()).status).toBe(204)
  expect(await auditAll(world, writers), `FAULT_SEED=${world.chance.seed}`).toEqual([])
})

const isReady = () => world.owner.fetch('/readyz').then((response) => response.ok)

test('a track whose transcoding fills the disk is processed once there is space', async () => {
  const id = await uploadTrack(world.owner, 'Full disk', makeWav(30, 300))
  const read = async () => (await world.owner.send('GET', `/api/admin-tracks/${id}`)).body
  await waitUntil(async () => (await read())['processing_status'] === 'processing', 30_000)
  await fillDisk(64 * 1024)
  await sleep(8000)
  await freeDisk()
  await waitUntil(isReady, 60_000, 'the database')
  await waitUntil(async () => (await read())['processing_status'] === 'ready', 300_000, 'the track')
  expect(await auditAll(world, writers), `FAULT_SEED=${world.chance.seed}`).toEqual([])
})

test('the service recovers after the database ran out of disk space', async () => {
  load.resume()
  for (let round = 0; round < 3; round++) {
    await sleep(2000)
    await fillDisk(0)
    // Transcoding frees space meanwhile. Fill that, too.
    for (let second = 0; second < 8; second++) {
      await sleep(1000)
      await fillDisk(0)
    }
    await freeDisk()
    await waitUntil(isReady, 60_000, 'the database')
  }
  await sleep(3000)
  await load.pause()
  expect(await auditAll(world, writers), `FAULT_SEED=${world.chance.seed}`).toEqual([])
  const statuses = JSON.stringify(world.responses.byStatus())
  process.stdout.write(
    `  acknowledged ${JSON.stringify(load.acknowledged())}; responses ${statuses}\n`,
  )
})
