// The body of a request that is read by somebody who may lose interest: the connection must outlive that, so that its
// sender reads the answer.
import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'

/** The body on a stream of its own: the library may end that one, but never the connection. */
export function passBody({ raw }: FastifyRequest): PassThrough {
  const body = new PassThrough()
  // Whoever reads it hears of it; nobody may be reading yet.
  body.on('error', () => {})
  raw.on('error', (error) => body.destroy(error))
  raw.on('close', () => {
    if (!raw.complete) body.destroy(new Error('The client went away'))
  })
  return raw.pipe(body)
}

/** Whoever is still sending reads the answer only when the rest is out. */
export function dropBody({ raw }: FastifyRequest, body: PassThrough): void {
  raw.unpipe(body)
  raw.resume()
  body.destroy()
}
