// For tests: creates a track from a recording with the same requests as an admin's browser. Its processing job stays
// queued.
import { randomUUID } from 'node:crypto'
import { createSignedUpload } from '#contract/uploads.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { importTrack } from '#contract/admin/track-imports.ts'
import type { Person, TestApp } from './test-app.ts'

export async function uploadTrack(
  server: TestApp,
  admin: Person,
  wav: Uint8Array,
  more: Partial<CallInput<typeof importTrack>['body']> = {},
): Promise<{ id: string; source_key: string }> {
  const audio_path = await uploadWav(server, admin, wav)
  const body = { audio_path, batch: randomUUID(), ...more }
  const { data } = (await admin.call(importTrack, { body })).body
  return { id: data.id, source_key: audio_path }
}

/** Uploads a WAV and returns the path with which a track refers to it. */
export async function uploadWav(server: TestApp, admin: Person, wav: Uint8Array): Promise<string> {
  const file = { bucket: 'audio', filename: 'a.wav', mime: 'audio/wav', size: wav.length } as const
  const signed = (await admin.call(createSignedUpload, { body: file })).body
  const sent = await fetch(new URL(signed.uploadUrl, server.url), {
    method: 'PUT',
    headers: {
      cookie: admin.cookie,
      'upload-token': signed.uploadToken,
      'content-type': 'audio/wav',
    },
    body: new Uint8Array(wav),
  })
  if (sent.status !== 204) throw new Error(`The upload returned ${sent.status}`)
  return signed.path
}
