// A minimal node:http server to compare range requests with. It reads from the file and sends, without sessions,
// permissions, conditional requests or checks for missing files. Arguments: the folder, and the size of each file.
import { openSync, read } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const [folder = '', fileBytes = ''] = process.argv.slice(2)
const files = new Map<string, number>()

const server = createServer((request, response) => {
  const [start = 0, end = 0] = request.headers.range!.slice('bytes='.length).split('-').map(Number)
  const url = request.url!
  const file = files.get(url) ?? openSync(join(folder, url), 'r')
  files.set(url, file)
  const target = Buffer.allocUnsafe(end + 1 - start)
  read(file, target, 0, target.length, start, (error) => {
    if (error) return response.destroy(error)
    response.writeHead(206, {
      'content-type': 'audio/mp4',
      'content-length': target.length,
      'content-range': `bytes ${start}-${end}/${fileBytes}`,
    })
    response.end(target)
  })
})
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
process.on('disconnect', () => process.exit())
