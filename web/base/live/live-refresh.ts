// Refetches queries when the server reports changes. The first change is applied almost immediately; further changes
// are batched, so that neither a bulk edit nor many clients overload the server.
import type { Query, QueryClient } from '@tanstack/react-query'
import type { LiveTopic } from '#contract/events.ts'

/** The query keys that each topic affects, as prefixes. */
const affected: Record<Exclude<LiveTopic, 'missed'>, readonly string[][]> = {
  tracks: [
    ['tracks'],
    ['home'],
    ['showcase'],
    ['categories'],
    ['playlists'],
    ['releases'],
    ['admin', 'tracks'],
    ['admin', 'releases'],
    ['admin', 'categories'],
    ['admin', 'genres'],
    ['admin', 'artists'],
    // A draft's review ends when the draft is published.
    ['admin', 'reviews'],
  ],
  categories: [['categories'], ['admin', 'categories']],
  playlists: [['playlists'], ['home'], ['admin', 'playlists']],
  'shared-playlist': [['playlists'], ['tracks', 'of-playlist']],
  // Responses with tracks contain the title of their release.
  releases: [
    ['releases'],
    ['tracks'],
    ['home'],
    ['admin', 'releases'],
    ['admin', 'tracks'],
    ['admin', 'reviews'],
  ],
  follows: [['tracks', 'artist'], ['tracks', 'artists'], ['home'], ['news']],
  genres: [['admin', 'genres']],
  reviews: [
    ['admin', 'reviews'],
    ['admin', 'tracks'],
    ['admin', 'releases'],
  ],
  users: [
    ['admin', 'users'],
    ['admin', 'billing'],
  ],
  processing: [['admin', 'tracks']],
  settings: [
    ['site'],
    ['showcase'],
    ['plans'],
    ['admin', 'settings'],
    ['admin', 'branding'],
    ['admin', 'legal'],
  ],
  session: [['session']],
  playing: [],
}

/** Maximum of a random delay, so that many clients don't refetch at the same moment. */
const spreadMs = 400
/** Minimum time between two refreshes. */
const pauseMs = 2_000
/**
 * Lists with more pages than this are not refetched on events, only when they are opened again. A screen that shows
 * such a list may refetch it more often.
 */
export const longListPages = 10

export interface LiveRefresh {
  notify: (topic: LiveTopic) => void
  stop: () => void
}

export function createLiveRefresh(queryClient: QueryClient): LiveRefresh {
  const heard = new Set<LiveTopic>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let pausedUntilMs = 0

  function refresh() {
    timer = undefined
    pausedUntilMs = performance.now() + pauseMs
    const topics = [...heard]
    heard.clear()
    const isStale = (query: Query) => topics.some((topic) => isAffected(query, topic))
    void queryClient.invalidateQueries({ predicate: (query) => isStale(query) && !isLong(query) })
    void queryClient.invalidateQueries({
      predicate: (query) => isStale(query) && isLong(query),
      refetchType: 'none',
    })
  }

  return {
    notify(topic) {
      // The session and the maintenance state are refetched immediately.
      if (topic === 'session' || topic === 'missed') {
        void queryClient.invalidateQueries({ queryKey: affected.session[0] ?? [] })
      }
      heard.add(topic)
      // Refetch settings without the delay: the maintenance screen must appear within a second.
      const delayMs = topic === 'settings' ? 0 : Math.max(0, pausedUntilMs - performance.now())
      if (timer !== undefined && topic !== 'settings') return
      clearTimeout(timer)
      timer = setTimeout(refresh, delayMs + Math.random() * spreadMs)
    },
    stop: () => clearTimeout(timer),
  }
}

function isAffected({ queryKey }: Query, topic: LiveTopic): boolean {
  // Never refetch an open draft: it must not change while it is being edited.
  if (queryKey[1] === 'draft' || topic === 'session') return false
  if (topic === 'missed') return true
  return affected[topic].some((words) => words.every((word, index) => queryKey[index] === word))
}

function isLong({ state }: Query): boolean {
  const data: unknown = state.data
  const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : null
  return Array.isArray(pages) && pages.length > longListPages
}
