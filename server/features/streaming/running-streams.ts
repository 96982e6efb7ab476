// Tracks the streams that this instance is sending to members, and limits concurrent streams per account and per
// player. The right to a stream is checked when it starts. Because sending a whole file can take minutes, the right is
// checked again when the session, plan or track changes or the player is displaced. If it has been lost, the connection
// is closed.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { maxResponsesPerPlayer, heartbeatSeconds } from '#contract/playing.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor } from '../../platform/operations/context.ts'

export interface RunningStream {
  request: FastifyRequest
  reply: FastifyReply
  user_id: string
  track_id: string
  /**
   * Null for downloads, which have no player and are counted separately from playback. The `user_id` for the anonymous
   * player.
   */
  player_id: string | null
  /** Maximum number of concurrent streams of this account for the same purpose (playback or downloads). */
  maxConcurrent: number
  /** Throws an AppError if this person no longer has the right to the stream. */
  checkRight: (actor: Actor) => Promise<unknown>
  /** Called before the first byte is sent. May wait. Throws an AppError if the player gets no place. */
  takePlace?: () => Promise<void>
  /** Called every ten seconds while the stream runs. Throws an AppError if the player was displaced. */
  keepPlace?: () => Promise<void>
}

export interface RunningStreams {
  /** Calls `send` and tracks the stream until it ends. Throws `too_many_streams`. */
  run: <T>(stream: RunningStream, send: () => Promise<T>) => Promise<T>
}

/** The Retry-After header of `too_many_streams`, in seconds. By then, the server has detected closed connections. */
const retryAfterSeconds = '2'

export function createRunningStreams(services: {
  bus: Pick<EventBus, 'on' | 'onMissed'>
  /** Returns the person of the request's cookie, access token or device key, with their current rights. */
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

  async function checkUser(userId: string, isAffected = (_: RunningStream) => true): Promise<void> {
    for (const stream of streamsOf.get(userId) ?? []) {
      if (!isAffected(stream)) continue
      try {
        if (!(await isAllowed(stream))) stream.reply.raw.destroy()
      } catch (err) {
        log.warn({ err }, 'failed to check the right to a running stream')
      }
    }
  }

  async function renew({ keepPlace, reply }: RunningStream): Promise<void> {
    try {
      await keepPlace?.()
    } catch (err) {
      if (err instanceof AppError) reply.raw.destroy()
      else log.warn({ err }, 'failed to renew the place of a running stream')
    }
  }

  async function checkAllUsers(isAffected?: (_: RunningStream) => boolean): Promise<void> {
    for (const userId of streamsOf.keys()) await checkUser(userId, isAffected)
  }

  bus.on('sessions', (userId) => checkUser(userId))
  // An event without an id means that several tracks have changed.
  bus.on('tracks', (id) => checkAllUsers(({ track_id }) => id === '' || track_id === id))
  bus.on('players', (id) => {
    const [userId = '', displaced = ''] = id.split('/')
    // Skip streams that are still waiting for a place: they check this themselves.
    return displaced === '' ? undefined : checkUser(userId, (stream) => withPlace.has(stream))
  })
  bus.onMissed(() => checkAllUsers())

  return {
    async run(stream, send) {
      const streams = streamsOf.get(stream.user_id) ?? new Set()
      const { player_id, maxConcurrent } = stream
      const alike = [...streams].filter((one) => (one.player_id === null) === (player_id === null))
      const ofPlayer = alike.filter((one) => one.player_id === player_id)
      if (alike.length >= maxConcurrent || ofPlayer.length >= maxResponsesPerPlayer) {
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
