// Downloads missing tracks of downloaded playlists, two files at a time, until all are complete or a problem stops
// the download.
import { ApiError } from '../../base/api/api.ts'
import { fetchTrack, IncompleteFileError } from './fetch-track.ts'
import {
  announceDownloads,
  useDownloads,
  wantedTrackIds,
  type DownloadProblem,
  type DownloadState,
} from '../../base/offline-store/download-store.ts'

const maxConcurrentFiles = 2
/** Names of DOMExceptions that mean a broken connection. */
const brokenConnection = new Set(['AbortError', 'NetworkError', 'TimeoutError'])

/** Why downloading stopped early; null if it was completed. */
export type Obstacle = DownloadProblem | 'refused' | null

/** Downloads the missing tracks. The promise never rejects. After `signal` is aborted nothing is written. */
export async function fetchMissing(userId: string, signal: AbortSignal): Promise<Obstacle> {
  /**
   * Tracks that were already attempted. Some can't be downloaded, for example because their owner has just unpublished
   * them.
   */
  const given = new Set<string>()
  const running = new Map<string, AbortController>()
  let obstacle: Obstacle = null
  const unfollow = useDownloads.subscribe((state) => abortUnwanted(state, running))

  async function work() {
    for (;;) {
      const id = nextMissing(given)
      if (id === undefined || obstacle !== null || signal.aborted) return
      given.add(id)
      const own = new AbortController()
      running.set(id, own)
      try {
        await fetchOne(userId, id, AbortSignal.any([signal, own.signal]))
      } catch (error) {
        if (!own.signal.aborted && !signal.aborted) obstacle ??= toObstacle(error)
        // The download was canceled, so a later one may request the track again.
        if (own.signal.aborted) given.delete(id)
      } finally {
        running.delete(id)
        setArriving(id, null)
      }
    }
  }

  await Promise.all(Array.from({ length: maxConcurrentFiles }, work))
  unfollow()
  return signal.aborted ? null : obstacle
}

function nextMissing(given: ReadonlySet<string>): string | undefined {
  const { trackBytes } = useDownloads.getState()
  for (const id of wantedTrackIds()) if (!trackBytes.has(id) && !given.has(id)) return id
  return undefined
}

async function fetchOne(userId: string, id: string, signal: AbortSignal): Promise<void> {
  setArriving(id, 0)
  const bytes = await fetchTrack(userId, id, {
    signal,
    onBytes: (soFar) => setArriving(id, soFar),
  })
  useDownloads.setState(({ trackBytes }) => ({ trackBytes: new Map(trackBytes).set(id, bytes) }))
  announceDownloads('changed')
}

function setArriving(id: string, bytes: number | null): void {
  useDownloads.setState(({ arrivingBytes }) => {
    const next = new Map(arrivingBytes)
    if (bytes === null) next.delete(id)
    else next.set(id, bytes)
    return { arrivingBytes: next }
  })
}

/** Aborts the download of tracks that no downloaded playlist contains any longer. */
function abortUnwanted(state: DownloadState, running: ReadonlyMap<string, AbortController>): void {
  if (running.size === 0) return
  const wanted = wantedTrackIds(state)
  for (const [id, own] of running) if (!wanted.has(id)) own.abort()
}

/** Returns null if only this track can't be downloaded, so that the others continue. */
function toObstacle(error: unknown): Obstacle {
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full'
  if (error instanceof IncompleteFileError) return 'waiting'
  // Cache and database reject with a DOMException; a broken connection is a TypeError.
  if (error instanceof DOMException && !brokenConnection.has(error.name)) {
    console.error(error)
    return 'failed'
  }
  if (!(error instanceof ApiError)) return 'waiting'
  if (error.code === 'premium_required' || error.status === 401) return 'refused'
  return error.status === 404 ? null : 'waiting'
}
