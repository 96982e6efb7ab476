// The streams of members that this instance is sending. An account has only so many at once. A right is checked when a
// stream begins. A whole file can take minutes, so the right is checked again when the person's session or plan changes,
// and the connection is closed if it is gone.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { EventBus } from '../events/event-bus.ts'
import { AppError } from '../http/app-error.ts'
import type { Actor } from '../http/context.ts'

export interface RunningStream {
  request: FastifyRequest
  reply: FastifyReply
  user_id: string
  /** So many of this account's streams for the same purpose may run at once. */
  most: number
  /** What a device keeps is counted apart from what plays. */
  isForKeeping?: boolean
  /** Throws an AppError when this person may not have the stream any more. */
  checkRight: (actor: Actor) => Promise<unknown>
}

export interface RunningStreams {
  /** Runs `send` and knows the stream as running until it is done. Throws `too_many_streams`. */
  run: <T>(stream: RunningStream, send: () => Promise<T>) => Promise<T>
}

/** Of a refusal: what was closed by its listener is known to be closed by then. */
const retryAfterSeconds = '2'

export function createRunningStreams(services: {
  bus: Pick<EventBus, 'on' | 'onMissed'>
  /** Who a request's cookie belongs to, as of now. */
  findActor: (request: FastifyRequest) => Promise<Actor | null>
  log: Pick<FastifyBaseLogger, 'warn'>
}): RunningStreams {
  const { bus, findActor, log } = services
  const streamsOf = new Map<string, Set<RunningStream>>()

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

  async function checkAll(userId: string): Promise<void> {
    for (const stream of streamsOf.get(userId) ?? []) {
      try {
        if (!(await isAllowed(stream))) stream.reply.raw.destroy()
      } catch (err) {
        log.warn({ err }, 'the right to a running stream was not checked')
      }
    }
  }

  bus.on('sessions', checkAll)
  bus.onMissed(async () => {
    for (const userId of streamsOf.keys()) await checkAll(userId)
  })

  return {
    async run(stream, send) {
      const streams = streamsOf.get(stream.user_id) ?? new Set()
      const { isForKeeping = false, most } = stream
      const alike = [...streams].filter((other) => (other.isForKeeping ?? false) === isForKeeping)
      if (alike.length >= most) {
        throw new AppError('too_many_streams', { headers: { 'retry-after': retryAfterSeconds } })
      }
      streamsOf.set(stream.user_id, streams.add(stream))
      try {
        return await send()
      } finally {
        streams.delete(stream)
        if (streams.size === 0) streamsOf.delete(stream.user_id)
      }
    },
  }
}
