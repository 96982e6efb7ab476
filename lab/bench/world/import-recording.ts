// Uploads a recording like the back office, and waits until members can play it.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeAdminTracks, getAdminTrack } from '#contract/admin/admin-tracks.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import type { BenchWorld } from './bench-world.ts'
import { fetchBody } from './http-client.ts'

const pollMs = 100

/** Uploads a recording and creates a track with `fields`. Returns its id. The track is not processed yet. */
export async function importRecording(
  world: BenchWorld,
  path: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const bytes = await readFile(path)
  const upload = await send<{ path: string; uploadUrl: string; uploadToken: string }>(
    world,
    createSignedUpload.path,
    { bucket: 'audio', filename: 'recording.wav', mime: 'audio/wav', size: bytes.length },
  )
  const sent = await fetch(new URL(upload.uploadUrl, world.url), {
    method: 'PUT',
    headers: {
      cookie: world.admin,
      origin: world.url,
      'upload-token': upload.uploadToken,
      'content-type': 'audio/wav',
    },
    body: bytes,
  })
  if (sent.status !== 204) throw new Error(`The upload returned ${sent.status}`)
  const created = await send<{ data: { id: string } }>(world, changeAdminTracks.path, {
    action: 'create',
    title: 'A recording',
    artist: 'Bench',
    is_published: true,
    audio_path: upload.path,
    ...fields,
  })
  return created.data.id
}

export async function waitUntilPublished(world: BenchWorld, id: string): Promise<void> {
  for (;;) {
    const url = world.url + getAdminTrack.path.replace(':id', id)
    const track = JSON.parse(String(await fetchBody(url, { cookie: world.admin }))) as {
      is_published: boolean
      processing_status: string
      processing_error: string | null
    }
    if (track.is_published) return
    if (track.processing_status === 'failed') throw new Error(track.processing_error ?? 'failed')
    await sleep(pollMs)
  }
}

export async function deleteTrack(world: BenchWorld, id: string): Promise<void> {
  await send(world, changeAdminTracks.path, { action: 'delete', id })
}

async function send<T>(world: BenchWorld, path: string, body: unknown): Promise<T> {
  return JSON.parse(String(await fetchBody(world.url + path, { cookie: world.admin, body }))) as T
}
