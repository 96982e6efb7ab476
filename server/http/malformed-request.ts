// What is no HTTP, comes too slowly or has a head too large never becomes a request. Its sender still reads an
// error in our form, and the connection ends.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from './app-error.ts'

/** For the server's `clientError`. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = new AppError(codeOf(error))
  const body = JSON.stringify(refusal.toBody())
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function codeOf({ code }: NodeJS.ErrnoException) {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_input'
}
