// A DNS server on loopback that responds to queries for TXT records (RFC 1035).
import { createSocket } from 'node:dgram'

export interface TestDns {
  /** Address of the server, for `Resolver.setServers`. */
  address: string
  close: () => Promise<void>
}

const typeTxt = 16
const headerBytes = 12
const [noError, serverFailure, noSuchName] = [0, 2, 3]

/**
 * The texts of each name. For `null` the server returns a failure, and for `silent` it sends nothing. A name that is
 * not listed does not exist.
 */
export type TestZone = Record<string, readonly string[] | null | 'silent'>

export async function startTestDns(zone: TestZone): Promise<TestDns> {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { name, end } = readName(question)
    const records = zone[name]
    if (records === 'silent') return
    const code = records === undefined ? noSuchName : records === null ? serverFailure : noError
    socket.send(
      buildResponse(question.subarray(0, end + 4), records ?? [], code),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function buildResponse(question: Buffer, records: readonly string[], code: number): Buffer {
  const header = Buffer.from(question.subarray(0, headerBytes))
  // Flags of a response with recursion available.
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, question.subarray(headerBytes), ...records.map(txtRecord)])
}

/**
 * Encodes a TXT record. Its name is a pointer to the name in the query, at byte 12. Texts are split into strings of
 * at most 255 bytes.
 */
function txtRecord(text: string): Buffer {
  const strings = (text.match(/[^]{1,255}/g) ?? ['']).flatMap((part) => [
    Buffer.from([part.length]),
    Buffer.from(part, 'latin1'),
  ])
  const data = Buffer.concat(strings)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | headerBytes, 0)
  head.writeUInt16BE(typeTxt, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
