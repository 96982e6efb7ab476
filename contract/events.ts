// Live change notifications: a stream of server-sent events that contain topics and ids, never data. Clients refetch
// what they display.
import { endpoint } from './endpoint.ts'

export const liveTopics = [
  'tracks', // id: the track; empty if many tracks changed, and always for members and creators
  'categories',
  'playlists', // a curated playlist; no id for members
  'shared-playlist', // a playlist that the person shares with others; id: the playlist
  'releases', // no id for members
  'follows', // follows of the connected person
  'settings',
  'session', // plan, role or sign-in of the connected person
  'playing', // players of the connected person; id: the player that must stop
  'missed', // events may have been lost, so anything may have changed
  'reviews', // back office only; no id
  'genres', // back office only
  'users', // admins only; a person was added, changed or deleted
  'processing', // back office only; id: the track, empty for creators
] as const
export type LiveTopic = (typeof liveTopics)[number]

/** The data of one server-sent event. */
export interface LiveEvent {
  topic: LiveTopic
  id: string
}

export const listenForEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  summary:
    'Open a stream of server-sent events. Each event is a JSON object { topic, id } and reports a change. The stream ends with the session.',
  access: 'member',
  produces: 'text/event-stream',
  duringMaintenance: true,
  errors: ['rate_limited'],
})
