// The streams to members that this instance is sending. The number of concurrent streams is limited per account and per
// player. The right to a stream is checked when it begins. A whole file can take minutes, so the right is checked again
// when the person's session or plan, or the track, changes or the player is displaced. If it is gone, the connection is
// closed.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { answersPerDevice, heartbeatSeconds } from '#contract/playing.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor } from '../../platform/operations/context.ts'

export interface RunningStream {
  request: FastifyRequest
  reply: FastifyReply
  user_id: string
  track_id: string
  /** Downloads have no player and are counted separately from playback. Anonymous: `user_id`. */
  player_id: string | null
  /** Maximum number of concurrent streams of this account for the same purpose. */
  most: number
  /** Throws an AppError if this person may no longer have the stream. */
  checkRight: (actor: Actor) => Promise<unknown>
  /** Called before the first byte. May wait; throws an AppError if the player has no place. */
  takePlace?: () => Promise<void>
  /** Called every ten seconds while the stream runs. Throws an AppError if the player was displaced. */
  keepPlace?: () => Promise<void>
}

export interface RunningStreams {
  /** Runs `send` and registers the stream until it is done. Throws `too_many_streams`. */
  run: <T>(stream: RunningStream, send: () => Promise<T>) => Promise<T>
}

/** Retry-After of a refusal. By then a connection that its client closed has been detected. */
const retryAfterSeconds = '2'

export function createRunningStreams(services: {
  bus: Pick<EventBus, 'on' | 'onMissed'>
  /** The current owner of the request's cookie. */
  findActor: (request: FastifyRequest) => Promise<Actor | null>
  log: Pick<FastifyBaseLogger, 'warn'>
}): RunningStreams {
  const { bus, findActor, log } = services
  const streamsOf = new Map<string, Set<RunningStream>>()
  const withPlace = new WeakSet<RunningStream>()

  async function isAllowed({ request, user_id, checkRight }: RunningStream): Promise<boolean> {
    const actor = await findActor(request)
    if (actor?.user_id !== user_id) return false
    try {
      await checkRight(actor)
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  async function checkAll(userId: string, isConcerned = (_: RunningStream) => true): Promise<void> {
    for (const stream of streamsOf.get(userId) ?? []) {
      if (!isConcerned(stream)) continue
      try {
        if (!(await isAllowed(stream))) stream.reply.raw.destroy()
      } catch (err) {
        log.warn({ err }, 'the right to a running stream was not checked')
      }
    }
  }

  async function renew({ keepPlace, reply }: RunningStream): Promise<void> {
    try {
      await keepPlace?.()
    } catch (err) {
      if (err instanceof AppError) reply.raw.destroy()
      else log.warn({ err }, 'the place of a running stream was not renewed')
    }
  }

  async function checkEverybody(isConcerned?: (_: RunningStream) => boolean): Promise<void> {
    for (const userId of streamsOf.keys()) await checkAll(userId, isConcerned)
  }

  bus.on('sessions', (userId) => checkAll(userId))
  // Without an id, several tracks have changed.
  bus.on('tracks', (id) => checkEverybody(({ track_id }) => id === '' || track_id === id))
  bus.on('players', (id) => {
    const [userId = '', displaced = ''] = id.split('/')
    // A stream that still waits for its place checks this itself.
    return displaced === '' ? undefined : checkAll(userId, (stream) => withPlace.has(stream))
  })
  bus.onMissed(() => checkEverybody())

  return {
    async run(stream, send) {
      const streams = streamsOf.get(stream.user_id) ?? new Set()
      const { player_id, most } = stream
      const alike = [...streams].filter((one) => (one.player_id === null) === (player_id === null))
      const ofPlayer = alike.filter((one) => one.player_id === player_id)
      if (alike.length >= most || ofPlayer.length >= answersPerDevice) {
        throw new AppError('too_many_streams', { headers: { 'retry-after': retryAfterSeconds } })
      }
      streamsOf.set(stream.user_id, streams.add(stream))
      const renewal = setInterval(() => void renew(stream), heartbeatSeconds * 1000)
      try {
        await stream.takePlace?.()
        withPlace.add(stream)
        return await send()
      } finally {
        clearInterval(renewal)
        streams.delete(stream)
        if (streams.size === 0) streamsOf.delete(stream.user_id)
      }
    },
  }
}
