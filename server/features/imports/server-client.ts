// Sends requests to an OpenSubsonic server. All responses are untrusted: sizes and times are limited, and redirects are
// checked like the entered address. Errors never contain the request's URL, because it includes the credentials.
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '#contract/errors.ts'
import {
  describeConnectionError,
  lookupPublic,
  PrivateAddressError,
} from '../../platform/security/public-lookup.ts'
import { ImportError } from './archive-error.ts'
import { findAddressError, type SourceConfig } from './server-address.ts'
import {
  toApiError,
  UnavailableItemError,
  tokenSignInUnsupported,
  TemporaryServerError,
} from './server-error.ts'
import { readFields } from './server-fields.ts'

export type ServerLogin = { user: string; password: string } | { api_key: string }

export interface ClientLimits {
  /** Time limit for receiving no data. */
  idleMs: number
  responseTimeoutMs: number
  fileMs: number
  maxResponseBytes: number
  /** The pauses before each retry. */
  retryDelaysMs: readonly number[]
}

const minute = 60_000
export const defaultLimits: ClientLimits = {
  idleMs: 30_000,
  responseTimeoutMs: 2 * minute,
  fileMs: 60 * minute,
  maxResponseBytes: 20 * 1024 ** 2,
  retryDelaysMs: [2000, 10_000, 30_000],
}

const maxRedirects = 3
const maxErrorBytes = 64 * 1024
const protocolVersion = '1.16.1'
const clientName = 'Velour'

export type Parameters = Readonly<Record<string, string | number>>

export interface ServerClient {
  /** Calls an API method and returns the root element of the response. Throws an ImportError. */
  call: (name: string, parameters?: Parameters) => Promise<Record<string, unknown>>
  /** Downloads a file, and returns the type that the server sent. Throws an ImportError. */
  download: (
    name: string,
    parameters: Parameters,
    file: { path: string; maxBytes: number },
  ) => Promise<string>
  close: () => void
}

interface ClientOptions {
  config: SourceConfig
  url: string
  login: ServerLogin
  signal: AbortSignal
  limits?: ClientLimits
}

export function createServerClient(options: ClientOptions): ServerClient {
  const { url, login, signal, limits = defaultLimits } = options
  const connections = openConnections({ ...options, limits })
  let isPlain = false

  const buildUrl = (name: string, parameters: Parameters) => {
    const address = new URL(`${url}/rest/${name}`)
    const all = { ...signIn(login, isPlain), ...parameters }
    for (const [key, value] of Object.entries(all)) address.searchParams.set(key, String(value))
    return address
  }

  async function call(name: string, parameters: Parameters = {}): Promise<Record<string, unknown>> {
    const root = await withRetries(
      { signal, limits, totalMs: limits.responseTimeoutMs },
      async (end) => {
        const response = await connections.send(buildUrl(name, { ...parameters, f: 'json' }), end)
        return parseResponse(await readBody(response, limits.maxResponseBytes))
      },
    )
    if (root.status === 'ok') return root
    const { error } = root
    if (needsPlainSignIn(error) && 'password' in login && !isPlain) {
      isPlain = true
      return call(name, parameters)
    }
    throw toApiError(error)
  }

  return {
    call,
    download: (name, parameters, file) =>
      withRetries({ signal, limits, totalMs: limits.fileMs }, async (end) =>
        writeFile(await connections.send(buildUrl(name, parameters), end), file),
      ),
    close: connections.close,
  }
}

interface Connections {
  send: (address: URL, timeout: AbortSignal) => Promise<IncomingMessage>
  close: () => void
}

/** Reused connections need no new check of the address: it was checked when they were opened. */
function openConnections({
  config,
  signal,
  limits,
}: Pick<ClientOptions, 'config' | 'signal'> & { limits: ClientLimits }): Connections {
  const settings = {
    keepAlive: true,
    maxSockets: 2,
    ...(!config.importsFromPrivateAddresses && { lookup: lookupPublic }),
  }
  const agents = { http: new http.Agent(settings), https: new https.Agent(settings) }

  function get(address: URL, until: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const isSecure = address.protocol === 'https:'
    const headers = { 'accept-encoding': 'identity', 'user-agent': clientName }
    const request = (isSecure ? https : http).get(address, {
      agent: isSecure ? agents.https : agents.http,
      headers,
      signal: until,
      timeout: limits.idleMs,
    })
    request.on('timeout', () =>
      request.destroy(new TemporaryServerError('The server took too long to respond.')),
    )
    request.once('response', resolve).on('error', reject)
    return promise
  }

  async function send(address: URL, timeout: AbortSignal, hops = 0): Promise<IncomingMessage> {
    const refusal = findAddressError(config, address)
    if (refusal !== null) throw new ImportError(errors[refusal][1])
    const response = await get(address, AbortSignal.any([signal, timeout]))
    const { statusCode: status = 0, headers } = response
    if (status === 200) return response
    response.destroy()
    if (status >= 300 && status < 400 && headers.location) {
      if (hops >= maxRedirects) throw new ImportError('The server redirects too many times.')
      return send(parseRedirect(headers.location, address), timeout, hops + 1)
    }
    throw toStatusError(status)
  }

  return {
    send,
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function toStatusError(status: number): ImportError {
  const words = `The server responded with ${status}.`
  if (status === 429 || status >= 500) return new TemporaryServerError(words)
  if (status === 404 || status === 410) return new UnavailableItemError(words)
  return new ImportError(`${words} Is this the address of its API?`)
}

interface RetryOptions {
  signal: AbortSignal
  limits: ClientLimits
  /** The time limit of each attempt, in milliseconds. */
  totalMs: number
}

/** Retries after temporary errors. If `signal` is aborted, throws its reason. */
async function withRetries<T>(
  { signal, limits, totalMs }: RetryOptions,
  work: (end: AbortSignal) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const timeout = AbortSignal.timeout(totalMs)
    try {
      return await work(timeout)
    } catch (error) {
      signal.throwIfAborted()
      const failure = toImportError(error, timeout)
      const pause = limits.retryDelaysMs[attempt]
      if (!(failure instanceof TemporaryServerError) || pause === undefined) throw failure
      await sleep(pause, undefined, { signal })
    }
  }
}

/** Writes a response to a file and returns its type. A text response is an error message instead of the file. */
async function writeFile(
  response: IncomingMessage,
  { path, maxBytes }: { path: string; maxBytes: number },
): Promise<string> {
  const type = (response.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (/^(?:text\/|application\/(?:json|xml|xhtml))/.test(type)) {
    throw parseFileError(await readBody(response, maxErrorBytes))
  }
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy()
    throw tooLarge()
  }
  await pipeline(response, limitTo(maxBytes), createWriteStream(path, { mode: 0o600 }))
  return type
}

/**
 * Returns the parameters for signing in: the password salted and hashed, unless the server accepts only the plain
 * password.
 */
function signIn(login: ServerLogin, isPlain: boolean): Parameters {
  const base = { v: protocolVersion, c: clientName }
  if ('api_key' in login) return { ...base, apiKey: login.api_key }
  const { user: u, password } = login
  if (isPlain) return { ...base, u, p: `enc:${Buffer.from(password).toString('hex')}` }
  const s = randomBytes(8).toString('hex')
  return {
    ...base,
    u,
    s,
    t: createHash('md5')
      .update(password + s)
      .digest('hex'),
  }
}

const needsPlainSignIn = (error: unknown) =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === tokenSignInUnsupported

/** Parses a redirect. Rejects redirects from https to http, because the URL contains the credentials. */
function parseRedirect(location: string, from: URL): URL {
  const to = URL.parse(location, from.href)
  if (!to || (from.protocol === 'https:' && to.protocol !== 'https:')) {
    throw new ImportError('The server redirects to an address that is not allowed.')
  }
  return to
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of limitTo(maxBytes)(response as AsyncIterable<Buffer>)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const tooLarge = () => new UnavailableItemError('The server sent more data than allowed.')

/** Passes chunks through, and throws once they exceed `maxBytes`. */
function limitTo(maxBytes: number) {
  return async function* limited(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge()
      yield chunk
    }
  }
}

function parseResponse(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  const root = readFields(value).object('subsonic-response')
  if (root) return root
  throw new ImportError('This server does not seem to provide the OpenSubsonic API.')
}

/** Parses the error that a server sent instead of a file: XML, or JSON from some servers. */
function parseFileError(text: string): ImportError {
  if (text.trimStart().startsWith('{')) return toApiError(parseResponse(text).error)
  const attributes = /<error\s([^>]*)>/.exec(text)?.[1]
  if (attributes === undefined) return new UnavailableItemError('The server did not send the file.')
  const code = Number(/\bcode="(\d+)"/.exec(attributes)?.[1])
  return toApiError({ code, message: /\bmessage="([^"]*)"/.exec(attributes)?.[1] })
}

function toImportError(error: unknown, timeout: AbortSignal): ImportError {
  if (error instanceof ImportError) return error
  if (error instanceof PrivateAddressError) return new ImportError(errors.import_url_private[1])
  if (timeout.aborted) return new TemporaryServerError('The server took too long to respond.')
  if (isDiskError(error)) throw error
  return new TemporaryServerError(`The server does not respond. ${describeConnectionError(error)}`)
}

/** Whether the error comes from the local disk. */
const isDiskError = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  /^(?:ENOSPC|EDQUOT|EIO|EROFS|EACCES)$/.test(String(error.code))
