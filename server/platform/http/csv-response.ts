// Sends a CSV as a download with a timestamp in its name.
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Byte-order mark. Without it, Excel on Windows reads the file in the system's code page. */
const byteOrderMark = Buffer.from('\uFEFF')

/** The file name is `{name}-{milliseconds since 1970}.csv`. */
export function sendCsv(reply: FastifyReply, name: string, now: Date, csv: Readable): FastifyReply {
  csv.unshift(byteOrderMark)
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}-${now.getTime()}.csv"`)
    .header('cache-control', 'no-store')
    .send(csv)
}
