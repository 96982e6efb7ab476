// A minimal HTTP server to compare with. Sends the same bytes for every request, so no server can be much faster.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

process.once('message', (text: string) => {
  const bytes = Buffer.from(text)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  )
})
process.on('disconnect', () => process.exit())
