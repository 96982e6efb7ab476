// Bodies that do not end. Who is refused in the middle of sending gets the time to read why, and is then cut off: nobody
// is read for gigabytes that nobody wants. JSON that trickles in is given up, files have as long as their upload.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { AppError } from './app-error.ts'

/** For a body that is read as a whole, such as JSON of a megabyte over a poor line. */
const bodyTimeoutMs = 30_000
/** What is still read from a sender who has its answer. */
const lingerBytes = 32 * 1024 * 1024
const lingerMs = 15_000
const lookMs = 50

export function endUnfinishedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (hasBody(request) && !isFile(request)) giveUpLater(request)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // Closed at once, the connection would be reset before the sender has read the answer.
    if (!request.raw.complete && hasBody(request)) reply.removeHeader('connection')
    done(null, payload)
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete && hasBody(request)) cutOffLater(request)
    done()
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function isFile({ routeOptions }: FastifyRequest): boolean {
  const { endpoint } = routeOptions.config as { endpoint?: Endpoint }
  return endpoint?.accepts !== undefined
}

/** Whoever reads the body hears of it like of a broken line, and the error is answered like any other. */
function giveUpLater({ raw }: FastifyRequest): void {
  const timer = setTimeout(() => {
    if (raw.complete || raw.destroyed) return
    // Nobody reads it any more: it was refused already.
    if (raw.listenerCount('error') === 0) raw.destroy()
    else raw.emit('error', new AppError('request_timeout'))
  }, bodyTimeoutMs)
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer))
}

function cutOffLater({ raw }: FastifyRequest): void {
  const { socket } = raw
  const readBytes = socket.bytesRead
  const end = performance.now() + lingerMs
  // Node throws these bytes away by itself; that they were read is all that is heard of them.
  const look = setInterval(() => {
    if (raw.complete || socket.destroyed) return clearInterval(look)
    if (socket.bytesRead - readBytes < lingerBytes && performance.now() < end) return
    clearInterval(look)
    // Takes the connection along.
    raw.destroy()
  }, lookMs)
}
