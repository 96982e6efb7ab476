// What changed, told the moment it did: a stream of server-sent events that carry topics and ids,
// never data. Whoever hears one asks for what it shows anew.
import { endpoint } from './endpoint.ts'

export const liveTopics = [
  'tracks', // id: the track; empty: many, and always for members
  'categories',
  'playlists', // a curated one; no id for members
  'settings',
  'session', // plan, role or sign-in of the person who listens
  'playing', // the listener's own; id: the player that has to give way
  'missed', // events may have been lost: anything may have changed
  'genres', // admins only
  'users', // admins only; somebody came, changed or went
  'processing', // admins only; id: the track
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
