// Serves downloaded music and covers. Invariant: music is served only to its owner, and only while the lease is valid.
import { createPartialResponse } from 'workbox-range-requests'
import {
  selectStoredCover,
  openFiles,
  findAudioOwner,
} from '../base/offline-store/download-files.ts'
import { canUseDownloads } from '../base/offline-store/lease.ts'
import { readFact } from '../base/offline-store/offline-db.ts'

/** Serves a downloaded file. Players request ranges, but the cache stores only complete files. */
export async function serveAudio(request: Request, url: URL): Promise<Response> {
  const person = await readFact('person')
  const isOwner =
    canUseDownloads(person, Date.now()) && person.user_id === findAudioOwner(url.pathname)
  if (!isOwner) return new Response(null, { status: 403 })
  const file = await (await openFiles())?.match(url.pathname, { ignoreVary: true })
  if (!file) return new Response(null, { status: 404 })
  return request.headers.has('range') ? createPartialResponse(request, file) : file
}

export async function serveCover(request: Request, url: URL): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await (
      await openFiles()
    )?.match(selectStoredCover(url.pathname), { ignoreVary: true })
    if (kept) return kept
    throw error
  }
}
