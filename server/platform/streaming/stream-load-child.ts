// Runs the server of the load test in its own process, so that only its memory is measured. Answers each IPC message
// with its memory and the state of the file server.
import Fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import { handleErrors } from '../http/error-handler.ts'
import { openDiskStorage } from '../storage/disk-storage.ts'
import { createFileServer } from './file-server.ts'

const storage = await openDiskStorage(process.argv[2]!)
const app = Fastify()
handleErrors(app)
const files = createFileServer({ storage, log: app.log })
app.get<{ Params: { name: string } }>('/:name', (request, reply) =>
  files.send(request, reply, {
    key: `audio/${request.params.name}`,
    mime: 'audio/mp4',
    cacheControl: 'private, no-cache',
  }),
)
await app.listen({ port: 0, host: '127.0.0.1', backlog: 1024 })

export interface LoadStats extends ReturnType<typeof files.stats> {
  /** Memory of the process in bytes, and the part of it that is in buffers. */
  rss: number
  arrayBuffers: number
}

process.on('message', () => {
  globalThis.gc?.()
  const { rss, arrayBuffers } = process.memoryUsage()
  const stats: LoadStats = { rss, arrayBuffers, ...files.stats() }
  process.send?.(stats)
})
process.on('disconnect', () => process.exit())
process.send?.({ port: (app.server.address() as AddressInfo).port })
