// A raw TCP connection that can send bytes which no HTTP client would send.
import { connect, type Socket } from 'node:net'

export interface RawResponse {
  /** The status of each response on the connection, in order. */
  statuses: number[]
  text: string
  /** Whether the server ended the connection. */
  isClosed: boolean
}

/** Sends `parts` one after another. Reads until the server closes the connection or `until` returns true. */
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
    // The server may close the connection while the test is sending. Only its response matters.
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
