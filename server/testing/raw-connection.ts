// A raw TCP connection: sends bytes that no HTTP client would, and reads the response.
import { connect, type Socket } from 'node:net'

export interface RawResponse {
  /** Status of each response on the connection, in order. */
  statuses: number[]
  text: string
  /** Whether the server ended the connection. */
  isClosed: boolean
}

/** Sends `parts` one after another and reads until the server closes or `until` is met. */
export function sendRawBytes(
  url: string,
  parts: (string | Buffer)[],
  options: { until?: (text: string) => boolean; patienceMs?: number; halfOpen?: boolean } = {},
): Promise<RawResponse> {
  const { until = () => false, patienceMs = 5000, halfOpen = false } = options
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let text = ''
    const socket: Socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const finish = (isClosed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ statuses: readStatuses(text), text, isClosed })
    }
    const timer = setTimeout(() => finish(false), patienceMs)
    socket.setEncoding('latin1')
    socket.on('data', (data) => {
      text += String(data)
      if (until(text)) finish(false)
    })
    // A server may close while we are sending; only its response before that matters.
    socket.on('error', () => {})
    socket.on('end', () => finish(true))
    socket.on('close', () => finish(true))
    socket.on('connect', () => {
      for (const part of parts) socket.write(part)
      if (halfOpen) socket.end()
    })
  })
}

function readStatuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
