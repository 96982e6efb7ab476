// Manages downloads while the app is open: follows the signed-in user, renews the lease, syncs changed playlists, and
// deletes all downloads when the user is no longer entitled to them.
import type { Query, QueryClient } from '@tanstack/react-query'
import type { Profile } from '#contract/profiles.ts'
import type { Site } from '#contract/site.ts'
import { ApiError } from '../../base/api/api.ts'
import { isOnline, useConnection } from '../../base/api/connection.ts'
import { sessionQuery } from '../../base/session/session.ts'
import { siteQuery } from '../../base/session/site.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import {
  removeAllDownloads,
  lockDownloads,
  abortDownloads,
} from '../../base/offline-store/remove-downloads.ts'
import { renewLease } from './download-playlist.ts'
import { syncDownloads } from './sync-downloads.ts'
import { hasDownloadMark } from '../../base/offline-store/download-mark.ts'
import {
  watchDownloads,
  loadDownloads,
  useDownloads,
} from '../../base/offline-store/download-store.ts'
import { isLeaseOver } from '../../base/offline-store/lease.ts'
import { hasIndexedDb, readFact, writeFact } from '../../base/offline-store/offline-db.ts'
import { registerWorker } from './register-worker.ts'

const pollMs = 60_000
const renewEveryMs = 6 * 3600 * 1000
const retryAfterMs = 30_000
/** Delay before a sync, because a playlist is often edited several times in a row. */
const settleMs = 1500

/** Starts to manage the downloads, for the lifetime of the page. */
export async function manageDownloads(queryClient: QueryClient): Promise<void> {
  if (!hasIndexedDb) return
  registerWorker()
  await endExpired(queryClient)
  await loadDownloads()

  let seen: Profile | null | undefined
  let renewedMs = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined

  const scheduleSync = (delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void sync(), delayMs)
  }
  const sync = async () => {
    if (useDownloads.getState().playlists.length === 0 || !seen || !isOnline()) return
    if (performance.now() - renewedMs > renewEveryMs) {
      if (!(await tryRenew(queryClient, seen))) return
      renewedMs = performance.now()
    }
    const obstacle = await syncDownloads()
    if (obstacle === 'refused') void queryClient.invalidateQueries(sessionQuery)
    if (obstacle === 'waiting') scheduleSync(retryAfterMs)
  }
  const followSession = async () => {
    const profile = queryClient.getQueryData<Profile | null>(sessionQuery.queryKey)
    if (profile === undefined || profile === seen) return
    seen = profile
    await followUser(profile)
    renewedMs = -Infinity
    scheduleSync(0)
  }

  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (query.queryKey[0] === sessionQuery.queryKey[0]) void followSession()
    if (action.type === 'invalidate' && isAboutPlaylists(query)) scheduleSync(settleMs)
    if (query.queryKey[0] === siteQuery.queryKey[0]) void storeSite(queryClient)
  })
  useConnection.subscribe(({ connection }) => {
    if (connection === 'online') scheduleSync(0)
  })
  watchDownloads((message) => {
    if (message === 'forgotten') abortDownloads()
    void loadDownloads()
  })
  setInterval(() => {
    void endExpired(queryClient)
    if (performance.now() - renewedMs > renewEveryMs) scheduleSync(0)
  }, pollMs)
  await followSession()
  await storeSite(queryClient)
}

/** Handles a change of the signed-in user: the same user again, another one, or none. */
async function followUser(profile: Profile | null): Promise<void> {
  if (!hasDownloadMark()) return
  if (profile === null) return lockDownloads()
  const person = await readFact('person')
  if (person && person.user_id !== profile.id) return removeAllDownloads()
  if (!profile.is_premium) {
    await removeAllDownloads()
    showToast({
      title: 'Your downloads were removed',
      message: 'Offline playback requires Premium.',
    })
    return
  }
  if (person && !person.is_signed_in) {
    await writeFact('person', { ...person, is_signed_in: true })
    await loadDownloads()
  }
}

/** Renews the lease. Returns false if that is not possible now. */
async function tryRenew(queryClient: QueryClient, profile: Profile): Promise<boolean> {
  try {
    await renewLease(profile)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'premium_required') await removeAllDownloads()
    if (error.code !== 'network') void queryClient.invalidateQueries(sessionQuery)
    return false
  }
}

/** Records the current time, and deletes the downloads if the lease has ended. */
async function endExpired(queryClient: QueryClient): Promise<void> {
  if (!hasDownloadMark()) return
  const person = await readFact('person')
  if (!person) return
  const nowMs = Date.now()
  if (!isLeaseOver(person, nowMs)) {
    if (nowMs > person.latest_ms) await writeFact('person', { ...person, latest_ms: nowMs })
    return
  }
  await removeAllDownloads()
  // Offline, the user was known only from the deleted downloads, so the session is now unknown.
  if (!isOnline()) void queryClient.resetQueries(sessionQuery)
}

async function storeSite(queryClient: QueryClient): Promise<void> {
  const site = queryClient.getQueryData<Site>(siteQuery.queryKey)
  if (site && hasDownloadMark() && isOnline()) await writeFact('site', { ...site, demo: null })
}

function isAboutPlaylists({ queryKey }: Query): boolean {
  const isOfList = queryKey[1] === 'of-playlist' || queryKey[1] === 'of-release'
  return queryKey[0] === 'playlists' || (queryKey[0] === 'tracks' && isOfList)
}
