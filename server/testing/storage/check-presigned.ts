// For tests: verifies presigned URLs, which have an AWS Signature Version 4 in the query.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Whether the signature is valid. Also true for requests that are not presigned. */
export function isValidPresignedRequest(
  request: IncomingMessage,
  secretAccessKey: string,
): boolean {
  const [path = '/', query = ''] = (request.url ?? '/').split('?')
  const given = new URLSearchParams(query)
  const signature = given.get('X-Amz-Signature')
  if (signature === null) return true
  const of = (name: string) => given.get(`X-Amz-${name}`) ?? ''
  if (isOver(of('Date'), Number(of('Expires')))) return false
  const signed = query
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='))
    .toSorted()
  const headers = of('SignedHeaders').split(';')
  const canonical = [
    request.method,
    path,
    signed.join('&'),
    ...headers.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    of('SignedHeaders'),
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const [, ...scope] = of('Credential').split('/')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', of('Date'), scope.join('/'), hash].join('\n')
  let key: string | Buffer = `AWS4${secretAccessKey}`
  for (const step of [...scope, text]) key = createHmac('sha256', key).update(step).digest()
  const wanted = Buffer.from(key)
  const found = Buffer.from(signature, 'hex')
  return found.length === wanted.length && timingSafeEqual(found, wanted)
}

function isOver(date: string, lifetimeSeconds: number): boolean {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number)
  const signedAtMs = Date.UTC(year, month - 1, day, hour, minute, second)
  return !(Date.now() < signedAtMs + lifetimeSeconds * 1000)
}
