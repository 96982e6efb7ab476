// Measures the heap of a running server after a garbage collection. Uses Node's inspector, so the server needs no code
// for this.
import { once } from 'node:events'

export interface HeapProbe {
  /** Runs a garbage collection and returns the used heap in bytes. */
  measure: () => Promise<number>
  close: () => void
}

/** Connects to the inspector. `port` is the one given to --inspect. */
export async function openHeapProbe(port: number): Promise<HeapProbe> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await once(socket, 'open')
  const waiting = new Map<number, (result: unknown) => void>()
  let count = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: unknown }
    if (id !== undefined) waiting.get(id)?.(result)
  })
  const send = (method: string) =>
    new Promise<unknown>((resolve) => {
      count++
      waiting.set(count, resolve)
      socket.send(JSON.stringify({ id: count, method }))
    })
  return {
    async measure() {
      await send('HeapProfiler.collectGarbage')
      const { usedSize } = (await send('Runtime.getHeapUsage')) as { usedSize: number }
      return usedSize
    },
    close: () => socket.close(),
  }
}
