// Refetches queries when the server reports changes. The first change is applied almost immediately; further changes
// are batched, so that neither a bulk edit nor many clients overload the server.
import type { Query, QueryClient } from '@tanstack/react-query'
import type { LiveTopic } from '#contract/events.ts'

/** Query keys affected by each topic, by prefix. */
const affected: Record<Exclude<LiveTopic, 'missed'>, readonly string[][]> = {
  tracks: [
    ['tracks'],
    ['showcase'],
    ['categories'],
    ['playlists'],
    ['releases'],
    ['admin', 'tracks'],
    ['admin', 'releases'],
    ['admin', 'categories'],
    ['admin', 'genres'],
    ['admin', 'artists'],
  ],
  categories: [['categories'], ['admin', 'categories']],
  playlists: [['playlists'], ['admin', 'playlists']],
  // Tracks name their release.
  releases: [['releases'], ['tracks'], ['admin', 'releases'], ['admin', 'tracks']],
  genres: [['admin', 'genres']],
  users: [
    ['admin', 'users'],
    ['admin', 'billing'],
  ],
  processing: [['admin', 'tracks']],
  settings: [['site'], ['plans'], ['admin', 'settings']],
  session: [['session']],
  playing: [],
}

/** Waits a random time up to `spreadMs`, then pauses before the next refresh. */
interface Pace {
  spreadMs: number
  pauseMs: number
}
/** Many clients must not refetch at the same moment. */
const crowd: Pace = { spreadMs: 400, pauseMs: 3_000 }
/** Admins are few, and work together on the same lists. */
const admins: Pace = { spreadMs: 100, pauseMs: 500 }
/** Lists with more pages than this are refetched only when opened again; the screen that shows one may do more. */
export const longListPages = 10

export interface LiveRefresh {
  hear: (topic: LiveTopic) => void
  stop: () => void
}

export function createLiveRefresh(queryClient: QueryClient): LiveRefresh {
  const lanes = [
    createLane(queryClient, crowd, (query) => !isOfBackOffice(query)),
    createLane(queryClient, admins, isOfBackOffice),
  ]
  return {
    hear(topic) {
      // The session and the maintenance state are refetched immediately.
      if (topic === 'session' || topic === 'missed') {
        void queryClient.invalidateQueries({ queryKey: affected.session[0] ?? [] })
      }
      for (const { hear } of lanes) hear(topic)
    },
    stop() {
      for (const { stop } of lanes) stop()
    },
  }
}

/** One part of the cache, refreshed at its own pace. */
function createLane(
  queryClient: QueryClient,
  { spreadMs, pauseMs }: Pace,
  isOurs: (query: Query) => boolean,
): LiveRefresh {
  const heard = new Set<LiveTopic>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let restsUntil = 0

  const refresh = () => {
    timer = undefined
    restsUntil = performance.now() + pauseMs
    const topics = [...heard]
    heard.clear()
    const isStale = (query: Query) =>
      isOurs(query) && topics.some((topic) => isAffected(query, topic))
    void queryClient.invalidateQueries({ predicate: (query) => isStale(query) && !isLong(query) })
    void queryClient.invalidateQueries({
      predicate: (query) => isStale(query) && isLong(query),
      refetchType: 'none',
    })
  }
  return {
    hear(topic) {
      heard.add(topic)
      const isUrgent = topic === 'settings' && restsUntil > performance.now()
      if (isUrgent) clearTimeout(timer)
      else if (timer !== undefined) return
      const restMs = isUrgent ? 0 : Math.max(0, restsUntil - performance.now())
      timer = setTimeout(refresh, restMs + Math.random() * spreadMs)
    },
    stop: () => clearTimeout(timer),
  }
}

function isOfBackOffice({ queryKey }: Query): boolean {
  return queryKey[0] === 'admin'
}

function isAffected({ queryKey }: Query, topic: LiveTopic): boolean {
  // An open draft must not change while it is being edited.
  if (queryKey[1] === 'draft' || topic === 'session') return false
  if (topic === 'missed') return true
  return affected[topic].some((words) => words.every((word, index) => queryKey[index] === word))
}

function isLong({ state }: Query): boolean {
  const data: unknown = state.data
  const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : null
  return Array.isArray(pages) && pages.length > longListPages
}
