// Streams server-sent events to signed-in people. A stream uses a socket and a small buffer, but no database
// connection. If a client reads too slowly, its stream is closed; the client reconnects and reloads everything.
import { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { grantsAccess } from '#contract/access.ts'
import type { LiveEvent, LiveTopic } from '#contract/events.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor } from '../../platform/operations/context.ts'
import { createConcurrencyLimit } from '../../platform/limits/concurrency-limit.ts'
import { getAddressKey } from '../../platform/limits/limit-keys.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'

export interface LiveEventServices {
  bus: Pick<EventBus, 'on' | 'onMissed'>
  /**
   * Returns the person who sent the request, by session cookie, access token or device key, with their current rights.
   */
  findActor: (request: FastifyRequest) => Promise<Actor | null>
  settings: { reloadWithRetry: () => Promise<void> }
  log: Pick<FastifyBaseLogger, 'warn'>
}

export interface LiveEvents {
  /** Opens a stream for this person. Throws `rate_limited` above the limit per person or per address. */
  listenForEvents: (request: FastifyRequest, actor: Actor) => Readable
  /** Ends every stream. */
  close: () => void
}

interface Listener {
  stream: Readable
  request: FastifyRequest
  actor: Actor
}

/** A person's open windows share one stream, so this limits devices and browsers. */
export const maxStreamsPerPerson = 10
/**
 * Maximum number of streams per network address and instance, to bound memory. Enough for a school that shares one
 * address. A refused client works without live updates.
 */
const maxStreamsPerAddress = 300
/** The Retry-After header for a refused stream, in seconds. */
const retryAfterSeconds = 60
/** Maximum number of bytes that wait for a slow client, beyond those that its socket has accepted. */
const maxWaitingBytes = 256 * 1024
const heartbeatMs = 25_000
const reconnectMs = 2_000

const memberTopics = ['tracks', 'categories', 'playlists', 'releases', 'settings'] as const
const editorTopics = ['genres', 'processing', 'reviews'] as const

export function createLiveEvents(
  services: LiveEventServices,
  { maxPerAddress = maxStreamsPerAddress } = {},
): LiveEvents {
  const streams = createEventStreams(maxPerAddress)
  const stops = subscribe(services, streams)
  const heartbeat = setInterval(() => {
    for (const listener of streams.all()) write(listener, ': still here\n\n')
  }, heartbeatMs)
  heartbeat.unref()

  return {
    listenForEvents(request, actor) {
      const stream = streams.open(request, actor)
      // Send a first line immediately, so that proxies and browsers see the response start.
      stream.push(`retry: ${reconnectMs}\n\n`)
      return stream
    },
    close() {
      clearInterval(heartbeat)
      for (const stop of stops) stop()
      for (const { stream } of streams.all()) stream.push(null)
    },
  }
}

/** Subscribes to the event bus, and forwards its events to the streams. Returns the functions that unsubscribe. */
function subscribe(services: LiveEventServices, streams: EventStreams): (() => void)[] {
  const { bus, log } = services
  const send = (topic: LiveTopic, id: string, who: (listener: Listener) => boolean) => {
    const text = encode({ topic, id })
    for (const listener of streams.all()) if (who(listener)) write(listener, text)
  }
  const isEditor = ({ actor }: Listener) => grantsAccess(actor.role, 'editor')
  const notifyAdmins = (topic: LiveTopic, id: string) =>
    send(topic, id, ({ actor }) => actor.role === 'admin')

  /** Checks the people behind open streams again, because a session may have ended or rights may have changed. */
  const checkAll = async (listeners: Iterable<Listener>) => {
    // Check one after the other, so that many streams don't use up the database connections.
    for (const listener of listeners) {
      await checkAgain(services, listener).catch((err: unknown) =>
        log.warn({ err }, 'the session of an event stream could not be checked'),
      )
    }
  }
  return [
    ...memberTopics.map((topic) =>
      bus.on(topic, async (id) => {
        // Clients reload the settings immediately after this event, so reload this instance's cache first.
        if (topic === 'settings') await services.settings.reloadWithRetry()
        // Members get no ids, because an unpublished track must stay hidden from them.
        send(topic, id, isEditor)
        send(topic, '', (listener) => !isEditor(listener))
      }),
    ),
    ...editorTopics.map((topic) =>
      bus.on(topic, (id) => {
        send(topic, id, isEditor)
        // Creators get no id, because it may belong to another creator's draft. They reload all their own tracks.
        send(topic, '', ({ actor }) => actor.role === 'creator')
      }),
    ),
    bus.on('users', (id) => notifyAdmins('users', id)),
    bus.on('players', (payload) => {
      const [userId = '', id = ''] = payload.split('/')
      if (id === '') return
      for (const listener of streams.of(userId)) write(listener, encode({ topic: 'playing', id }))
    }),
    bus.on('follows', (userId) => {
      const text = encode({ topic: 'follows', id: '' })
      for (const listener of streams.of(userId)) write(listener, text)
    }),
    bus.on('shared-playlists', (payload) => {
      const [userId = '', id = ''] = payload.split('/')
      const text = encode({ topic: 'shared-playlist', id })
      for (const listener of streams.of(userId)) write(listener, text)
    }),
    bus.on('sessions', (userId) => {
      notifyAdmins('users', userId)
      return checkAll(streams.of(userId))
    }),
    bus.onMissed(async () => {
      await services.settings.reloadWithRetry()
      send('missed', '', () => true)
      return checkAll(streams.all())
    }),
  ]
}

async function checkAgain({ findActor }: LiveEventServices, listener: Listener): Promise<void> {
  const actor = await findActor(listener.request)
  if (actor) listener.actor = actor
  write(listener, encode({ topic: 'session', id: '' }))
  if (!actor) listener.stream.push(null)
}

interface EventStreams {
  all: () => Listener[]
  of: (userId: string) => Iterable<Listener>
  /** Throws `rate_limited` above the limit per person or per address. */
  open: (request: FastifyRequest, actor: Actor) => Readable
}

/** Stores the open streams by person. */
function createEventStreams(maxPerAddress: number): EventStreams {
  const listenersByPerson = new Map<string, Set<Listener>>()
  const atAddress = createConcurrencyLimit(maxPerAddress, retryAfterSeconds)
  return {
    all: () => [...listenersByPerson.values()].flatMap((listeners) => [...listeners]),
    of: (userId) => listenersByPerson.get(userId) ?? [],
    open(request, actor) {
      const listeners = listenersByPerson.get(actor.user_id) ?? new Set()
      if (listeners.size >= maxStreamsPerPerson) {
        throw new AppError('rate_limited', { headers: { 'retry-after': `${retryAfterSeconds}` } })
      }
      const release = atAddress.acquire(getAddressKey(request.ip))
      const stream = new Readable({ read() {} })
      const listener = { stream, request, actor }
      listenersByPerson.set(actor.user_id, listeners.add(listener))
      stream.once('close', () => {
        listeners.delete(listener)
        if (listeners.size === 0) listenersByPerson.delete(actor.user_id)
        release()
      })
      return stream
    },
  }
}

function write({ stream }: Listener, text: string): void {
  if (stream.destroyed || stream.readableEnded) return
  if (stream.readableLength + text.length > maxWaitingBytes) stream.destroy()
  else stream.push(text)
}

/** Encodes an event (WHATWG HTML §9.2.6): a line of data and an empty line. */
function encode(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
