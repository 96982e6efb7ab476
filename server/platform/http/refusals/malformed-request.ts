// Handles input that can't become a request, because it is not HTTP, arrives too slowly or has too large a header.
// The sender gets an error in our format, and the connection is closed.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../operations/app-error.ts'
import type { SecurityHeaders } from './security-headers.ts'

/** Characters of host names, IP addresses and ports. */
const hostName = /^[\w.:[\]-]*$/

/**
 * Refuses requests with two Host headers. A proxy might use one and this server the other (RFC 9112 §3.2). Node reads
 * only the first.
 */
export function refuseAmbiguousHosts(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    let hosts = 0
    const { rawHeaders } = raw
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]!
      if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    }
    // Only HTTP/1.0 requests may omit the header.
    const isEnough = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0')
    const isClear = isEnough && hostName.test(raw.headers.host ?? '')
    done(isClear ? undefined : new AppError('invalid_input'))
  })
}

/** Handler for the server's `clientError` event. Sends the same headers as every other response. */
export function handleMalformedRequest(headers: SecurityHeaders) {
  const always = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const refusal = new AppError(getErrorCode(error))
    const body = JSON.stringify(refusal.toBody())
    const head = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      ...always,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }
}

function getErrorCode({ code }: NodeJS.ErrnoException) {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_input'
}
