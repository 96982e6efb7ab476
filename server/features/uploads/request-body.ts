// Passes on a request body whose reader may stop early: the connection must stay open, so that the client can read the
// response.
import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'

/** Pipes the body into a separate stream. The library may end that stream, but not the connection. */
export function passBody({ raw }: FastifyRequest): PassThrough {
  const body = new PassThrough()
  // Prevents an uncaught error while there is no reader; readers get the error too.
  body.on('error', () => {})
  raw.on('error', (error) => body.destroy(error))
  // A request that was destroyed never ends. Bytes that have arrived but were not read are lost with it.
  const endWithRequest = () => {
    if (!raw.readableEnded) body.destroy(new Error('The client went away'))
  }
  // The client may have left before this call, for example while the token was looked up.
  if (raw.destroyed) endWithRequest()
  else raw.on('close', endWithRequest)
  return raw.pipe(body)
}

/** Discards the rest of the body: a client reads the response only after it has sent everything. */
export function dropBody({ raw }: FastifyRequest, body: PassThrough): void {
  raw.unpipe(body)
  raw.resume()
  body.destroy()
}
