// Downloads one track to this device: its complete file, its detail for the player, its cover. Invariant: the
// database row is written last, so an interrupted download leaves no row.
import { getTrack, type Track } from '#contract/tracks.ts'
import { call, send } from '../../base/api/api.ts'
import {
  getDownloadedAudioUrl,
  getStoredCoverUrls,
  openFiles,
} from '../../base/offline-store/download-files.ts'
import { writeRow } from '../../base/offline-store/offline-db.ts'

/** The file is shorter or longer than announced. */
export class IncompleteFileError extends Error {}

/**
 * @returns bytes of the file. Rejects with an ApiError, an IncompleteFileError, or an error of the browser's storage.
 */
export async function fetchTrack(
  userId: string,
  trackId: string,
  options: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<number> {
  const { signal, onBytes } = options
  const track = await call(getTrack, { params: { id: trackId } }, { signal })
  await fetchCover(track.cover_url, signal)
  const url = getDownloadedAudioUrl(userId, trackId)
  const bytes = await fetchFile(track, url, signal, onBytes)
  if (signal.aborted) {
    await (await openFiles())?.delete(url)
    signal.throwIfAborted()
  }
  await writeRow('tracks', { id: trackId, track, bytes })
  return bytes
}

/** Downloads the stored sizes of a cover. Images are immutable per URL, so a stored image is never fetched again. */
export async function fetchCover(coverUrl: string | null, signal: AbortSignal): Promise<void> {
  const files = await openFiles()
  if (!files || coverUrl === null) return
  for (const url of getStoredCoverUrls(coverUrl)) {
    if (await files.match(url, { ignoreVary: true })) continue
    const response = await fetch(url, { signal })
    // Ignore a missing cover: one is drawn from the title instead.
    if (response.ok) await files.put(url, response)
  }
}

async function fetchFile(
  { audio_url }: Pick<Track, 'audio_url'>,
  url: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const files = await openFiles()
  // Bypass the HTTP cache: otherwise, the file would be stored on the device twice.
  const response = await send(`${audio_url}?keep=true`, {
    method: 'GET',
    signal,
    cache: 'no-store',
  })
  const { headers, body } = response
  const expected = Number(headers.get('content-length'))
  if (!files || !body) throw new IncompleteFileError('no body')
  let bytes = 0
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        onBytes(bytes)
        controller.enqueue(chunk)
      },
    }),
  )
  await files.put(
    url,
    new Response(counted, {
      headers: {
        'content-type': headers.get('content-type') ?? 'audio/mp4',
        'content-length': String(expected),
        'accept-ranges': 'bytes',
      },
    }),
  )
  if (bytes === expected && bytes > 0) return bytes
  await files.delete(url)
  throw new IncompleteFileError(`${bytes} of ${expected} bytes`)
}
