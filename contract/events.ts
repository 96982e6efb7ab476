// Live change notifications: a stream of server-sent events that carry topics and ids, never data. A client that
// receives one refetches what it shows.
import { endpoint } from './endpoint.ts'

export const liveTopics = [
  'tracks', // id: the track; empty: many tracks, and always for members and creators
  'categories',
  'playlists', // a curated one; no id for members
  'shared-playlist', // one that the person shares with others; id: the playlist
  'releases', // no id for members
  'follows', // the person's own
  'settings',
  'session', // plan, role or sign-in of the connected person
  'playing', // the person's own; id: the player that has to stop
  'missed', // events may have been lost: anything may have changed
  'reviews', // the back office only; no id
  'genres', // the back office only
  'users', // admins only; somebody was added, changed or deleted
  'processing', // the back office only; id: the track, empty for creators
] as const
export type LiveTopic = (typeof liveTopics)[number]

/** The data of one event. */
export interface LiveEvent {
  topic: LiveTopic
  id: string
}

export const listenForEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  summary:
    'Server-sent events: { topic, id } in JSON whenever something changes. Ends with the session.',
  access: 'member',
  produces: 'text/event-stream',
  duringMaintenance: true,
  errors: ['rate_limited'],
})
