// For tests: a push service (RFC 8030), and a browser that decrypts the messages with its own code (RFC 8291).
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface TestPushService {
  origin: string
  received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[]
  /** Sets the status of all following responses. */
  answer: (status: number) => void
  close: () => Promise<void>
}

export async function startPushService(): Promise<TestPushService> {
  const received: TestPushService['received'] = []
  let status = 201
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next) => (status = next),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface TestBrowser {
  keys: { p256dh: string; auth: string }
  /** Decrypts a message. Throws if it is not for this browser, or was changed. */
  decrypt: (message: Buffer) => string
}

export function createTestBrowser(own: { privateKey?: Buffer; auth?: Buffer } = {}): TestBrowser {
  const pair = createECDH('prime256v1')
  if (own.privateKey) pair.setPrivateKey(own.privateKey)
  else pair.generateKeys()
  const { auth = randomBytes(16) } = own
  return {
    keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    decrypt(message) {
      const salt = message.subarray(0, 16)
      const idLength = message.readUInt8(20)
      const sender = message.subarray(21, 21 + idLength)
      const record = message.subarray(21 + idLength)
      const expand = (key: Buffer, salted: Buffer, info: (string | Buffer)[], length: number) => {
        const bytes = info.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
        return Buffer.from(hkdfSync('sha256', key, salted, Buffer.concat(bytes), length))
      }
      const shared = pair.computeSecret(sender)
      const input = expand(shared, auth, ['WebPush: info\0', pair.getPublicKey(), sender], 32)
      const key = expand(input, salt, ['Content-Encoding: aes128gcm\0'], 16)
      const nonce = expand(input, salt, ['Content-Encoding: nonce\0'], 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(record.subarray(-16))
      const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      const end = plain.lastIndexOf(2)
      return plain.subarray(0, end).toString('utf8')
    },
  }
}

/** Checks the signature of a VAPID header (RFC 8292) and returns its claims and key. */
export function readVapid(header: string): { claims: Record<string, unknown>; publicKey: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), k=(\S+)$/.exec(header) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33, 65).toString('base64url'),
    },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The token is not signed by its key.')
  const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { alg } = parse(head) as { alg?: string }
  if (alg !== 'ES256') throw new Error(`The token is signed by ${alg}.`)
  return { claims: parse(claims) as Record<string, unknown>, publicKey }
}
