// Handles request bodies that do not end. A client that is refused while it sends a body gets time to read the
// response and is then disconnected, so that the server does not read gigabytes of unwanted data. JSON has a time
// limit of its own; files have that of their upload.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { AppError } from '../../operations/app-error.ts'

/** Time limit for a body that is read as a whole, such as a megabyte of JSON over a slow connection. */
const bodyTimeoutMs = 30_000
/** How many bytes are still read from a client after its response was sent. */
const lingerBytes = 32 * 1024 * 1024
const lingerMs = 15_000
const pollMs = 50

export function endUnfinishedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (hasBody(request) && !isFile(request)) startBodyTimeout(request)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // Without `Connection: close`, the connection stays open after the response. Closing it would reset it before the
    // client has read the response.
    if (!request.raw.complete && hasBody(request)) reply.removeHeader('connection')
    done(null, payload)
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete && hasBody(request)) closeAfterLinger(request)
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

/** Fails the read of the body after a timeout, like a lost connection, and sends the error response. */
function startBodyTimeout({ raw }: FastifyRequest): void {
  const timer = setTimeout(() => {
    if (raw.complete || raw.destroyed) return
    // Without a listener, nothing reads the body, because the request was already refused.
    if (raw.listenerCount('error') === 0) raw.destroy()
    else raw.emit('error', new AppError('request_timeout'))
  }, bodyTimeoutMs)
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer))
}

function closeAfterLinger({ raw }: FastifyRequest): void {
  const { socket } = raw
  const readBytes = socket.bytesRead
  const end = performance.now() + lingerMs
  // Node reads and discards these bytes itself, so check its byte counter.
  const timer = setInterval(() => {
    if (raw.complete || socket.destroyed) return clearInterval(timer)
    if (socket.bytesRead - readBytes < lingerBytes && performance.now() < end) return
    clearInterval(timer)
    // Also closes the connection.
    raw.destroy()
  }, pollMs)
}
