// Uploads a file in parts: lists the stored parts and sends the missing ones, each to the URL that the server returns
// for it, on the server itself or in an object store. If the browser can't reach that store, the parts go through the
// server.
import {
  completeUploadParts,
  listUploadParts,
  maxPartUrls,
  signUploadParts,
} from '#contract/upload-parts.ts'
import { ApiError, call } from '../api/api.ts'
import { putBytes } from './put-bytes.ts'

/**
 * Concurrent parts to an object store. Parts to the server go one at a time: a browser opens only six connections to it
 * in total.
 */
const atOnce = 2
const urlsPerRequest = Math.min(8, maxPartUrls)
/**
 * After this many consecutive parts that failed at the store but succeeded through the server, the store counts as
 * unreachable.
 */
const refusalsOfStore = 2

/** Consecutive failures of the store while the server worked. Counted for the lifetime of the page. */
let storeRefusals = 0

interface SendOptions {
  /** Hash of the whole file, if known. The server verifies it. */
  sha256?: string | null
  /** Called with the number of bytes stored. */
  onProgress: (bytes: number) => void
  signal: AbortSignal
}

/**
 * Resolves when the server has the whole file. Throws an ApiError (status 0: no response), or an AbortError when
 * aborted.
 */
export async function sendByParts(
  file: Blob,
  uploadUrl: string,
  { sha256, onProgress, signal }: SendOptions,
): Promise<void> {
  const params = { id: uploadUrl.split('/').at(-1) ?? '' }
  const plan = await call(listUploadParts, { params }, { signal })
  const counts = new Map(plan.data.map(({ number, byte_size }) => [number, byte_size]))
  const total = Math.ceil(plan.byte_size / plan.part_bytes)
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter(
    (number) => !counts.has(number),
  )
  const reportProgress = () =>
    onProgress([...counts.values()].reduce((sum, bytes) => sum + bytes, 0))
  reportProgress()

  const failing = new AbortController()
  const both = AbortSignal.any([signal, failing.signal])
  const addresses = createAddresses(params, missing, both)
  const waiting = [...missing]
  const sendNextPart = async (): Promise<void> => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      const part = number
      const start = (part - 1) * plan.part_bytes
      await sendPart(part, file.slice(start, start + plan.part_bytes), addresses, {
        signal: both,
        onProgress(bytes) {
          counts.set(part, bytes)
          reportProgress()
        },
      })
    }
  }
  try {
    const isDirect = missing.length > 0 && !isOwn(await addresses.of(missing[0]!))
    await Promise.all(Array.from({ length: isDirect ? atOnce : 1 }, sendNextPart))
  } catch (error) {
    // Abort the other parts in progress.
    failing.abort()
    throw error
  }
  await call(completeUploadParts, { params, body: sha256 ? { sha256 } : {} }, { signal })
}

interface Addresses {
  of: (number: number, way?: 'through_server') => Promise<string>
  /** Forgets the URL of a part. Call when the store no longer accepts the URL. */
  evict: (number: number) => void
}

/** Requests a few signed URLs at a time, in the order in which they are needed. */
function createAddresses(
  params: { id: string },
  missing: readonly number[],
  signal: AbortSignal,
): Addresses {
  const known = new Map<number, Promise<string>>()
  const requestUrls = async (numbers: number[], through_server: boolean) => {
    const body = { numbers, through_server }
    const { data } = await call(signUploadParts, { params, body }, { signal })
    return new Map(data.map(({ number, url }) => [number, url]))
  }
  const pick = (urls: Map<number, string>, number: number) => {
    const url = urls.get(number)
    if (url === undefined) throw storeFailure()
    return url
  }
  return {
    async of(number, way) {
      if (way) return pick(await requestUrls([number], true), number)
      const found = known.get(number)
      if (found) return found
      const at = missing.indexOf(number)
      const numbers = missing.slice(at, at + urlsPerRequest)
      const urls = requestUrls(numbers, storeRefusals >= refusalsOfStore)
      for (const each of numbers) {
        const url = urls.then((urls) => pick(urls, each))
        // The caller that needs the URL gets the rejection. This handler avoids an unhandled one for the others.
        url.catch(() => {})
        known.set(each, url)
      }
      return known.get(number)!
    },
    evict: (number) => known.delete(number),
  }
}

type PutOptions = Parameters<typeof putBytes>[2]

async function sendPart(
  number: number,
  bytes: Blob,
  addresses: Addresses,
  options: PutOptions,
): Promise<void> {
  const url = await addresses.of(number)
  const refusal = await putPart(url, bytes, options)
  if (refusal === null) return
  if (isOwn(url)) throw refusal
  if (refusal.status === 0) return sendThroughServer(number, bytes, addresses, options)
  if (refusal.status !== 403 && refusal.status !== 400) throw storeFailure()
  // The URL has expired.
  addresses.evict(number)
  const fresh = await addresses.of(number)
  const again = await putPart(fresh, bytes, options)
  if (again) throw isOwn(fresh) || again.status === 0 ? again : storeFailure()
}

/**
 * Sends a part through the server after the store did not respond. If this fails too, the network is down. Otherwise,
 * the browser can't reach the store.
 */
async function sendThroughServer(
  number: number,
  bytes: Blob,
  addresses: Addresses,
  options: PutOptions,
): Promise<void> {
  const url = await addresses.of(number, 'through_server')
  const refusal = await putPart(url, bytes, options)
  if (refusal) throw refusal
  storeRefusals += 1
}

/** Uploads one part. Returns null on success, otherwise the error. */
async function putPart(url: string, bytes: Blob, options: PutOptions): Promise<ApiError | null> {
  try {
    // A slice of a file has no content type. Our server requires one; the store does not.
    const headers: Record<string, string> = isOwn(url)
      ? { 'content-type': 'application/octet-stream' }
      : {}
    await putBytes(url, bytes, { ...options, headers })
    if (!isOwn(url)) storeRefusals = 0
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function isOwn(url: string): boolean {
  return url.startsWith('/')
}

/** Creates a retryable error: the next attempt starts by listing the stored parts. */
function storeFailure(): ApiError {
  return new ApiError(
    'unavailable',
    503,
    'A part of the file could not be stored. Please try again.',
  )
}
