// Sends generated requests to every operation of a running server, as every kind of person, and checks each response
// against the contract. Finds internal errors, timeouts, and undeclared statuses, codes, types and shapes.
import fc from 'fast-check'
import * as z from 'zod/mini'
import { errorBody, errors, type ErrorCode } from '#contract/errors.ts'
import { listErrorCodes } from '../../platform/http/openapi/operation-responses.ts'
import { findContractEndpoints, type NamedEndpoint } from '../contract-endpoints.ts'
import { encodeText, generateInputs, type FuzzInput, type KnownValues } from './fuzz-inputs.ts'
import type { TestApp } from '../test-app.ts'

export interface FuzzReport {
  requests: number
  /** Number of responses per status. */
  statuses: Record<string, number>
  /** Descriptions of wrong responses, including the requests. */
  problems: string[]
  slowestMs: number
}

const people = ['admin', 'premium', 'free', 'nobody'] as const
type Who = (typeof people)[number]

/** Error codes that any operation may return, because they concern the request itself. */
const codesOfTransport: ErrorCode[] = [
  'invalid_input',
  'not_found',
  'method_not_allowed',
  'foreign_origin',
  'payload_too_large',
  'unsupported_content_type',
  'rate_limited',
  'headers_too_large',
  'misdirected_request',
]
const batchSize = 300
const lanes = 16
const patienceMs = 20_000

/**
 * Sends the requests. Equal seeds give equal requests, except for ids of rows. The app must trust loopback as a
 * proxy.
 */
export async function fuzzEndpoints(
  app: TestApp,
  options: { requests: number; seed: number },
): Promise<FuzzReport> {
  const endpoints = await findContractEndpoints()
  const report: FuzzReport = { requests: 0, statuses: {}, problems: [], slowestMs: 0 }
  const callers = { admin: '', premium: '', free: '', nobody: '' }
  for (let batch = 0; report.requests < options.requests; batch++) {
    // Replaces the callers before one account reaches its hourly limit of changes.
    if (batch % 50 === 0) Object.assign(callers, { admin: '', premium: '', free: '' })
    await renewCallers(app, callers)
    const known = await makeRows(app)
    const size = Math.min(batchSize, options.requests - report.requests)
    const sample = fc.sample(generateRequests(endpoints, known), {
      numRuns: size,
      seed: options.seed + batch,
    })
    const queue = sample.entries()
    const lane = async () => {
      for (const [, { operation, who, input, from }] of queue) {
        await sendRequest(app, report, operation, { cookie: callers[who], input, from, who })
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    report.requests += size
  }
  return report
}

interface GeneratedRequest {
  operation: NamedEndpoint
  who: Who
  input: FuzzInput
  /** The caller's IP address. It varies, so that no limit per address ends the run. */
  from: string
}

function generateRequests(
  endpoints: NamedEndpoint[],
  known: KnownValues,
): fc.Arbitrary<GeneratedRequest> {
  const each = endpoints.map((operation) => {
    const { endpoint } = operation
    const rowOfPath = rowsOfPaths.find(([path]) => path.test(endpoint.path))?.[1]
    const own = { ...known, ...(rowOfPath && { id: known[rowOfPath] ?? null }) }
    // Operations that end the session are only rarely called as a signed-in person, who would be signed out for the
    // rest of the batch.
    const who = endsSessions.has(operation.name)
      ? fc.oneof(
          { weight: 40, arbitrary: fc.constant('nobody' as const) },
          fc.constantFrom(...people),
        )
      : fc.constantFrom(...people, 'admin' as const)
    return fc.record({
      operation: fc.constant(operation),
      who,
      input: generateInputs(endpoint, own),
      from: fc.ipV4(),
    })
  })
  return fc.oneof(...each)
}

const endsSessions = new Set(['signOut', 'endSession', 'endAllSessions', 'disableTwoFactor'])

const rowsOfPaths: [RegExp, string][] = [
  [/^\/api\/admin-users/, 'user_id'],
  [/^\/api\/admin-categories/, 'category_id'],
  [/^\/api\/admin-genres/, 'genre_id'],
  [/^\/api\/uploads/, 'upload_id'],
  [/playlists/, 'playlist_id'],
  [/releases/, 'release_id'],
  [/tracks/, 'track_id'],
]

async function sendRequest(
  app: TestApp,
  report: FuzzReport,
  operation: NamedEndpoint,
  { cookie, input, from, who }: Omit<GeneratedRequest, 'operation'> & { cookie: string },
): Promise<void> {
  const { endpoint } = operation
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    // A path segment of only dots is encoded, because it would be normalized to another path.
    encodeText(input.params[name] ?? 'x').replace(/^\.+$/, '%2e'),
  )
  const url = `${app.url}${path}${input.query && `?${input.query}`}`
  const { body, headers } = input
  const start = performance.now()
  const reportProblem = (what: string) =>
    report.problems.push(
      `${operation.name} as ${who}: ${what}\n  ${endpoint.method} ${url.slice(0, 600)}\n  ${JSON.stringify(headers).slice(0, 400)}\n  ${(body ?? '').slice(0, 600)}`,
    )
  try {
    const response = await fetch(url, {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie && { cookie }),
        ...headers,
        'x-forwarded-for': from,
      },
      ...(body !== undefined && endpoint.method !== 'GET' && { body }),
      signal: AbortSignal.timeout(patienceMs),
    })
    report.statuses[response.status] = (report.statuses[response.status] ?? 0) + 1
    for (const problem of await judge(operation, response)) reportProblem(problem)
  } catch (error) {
    reportProblem(
      `no response: ${String(error)} ${String(error instanceof Error ? error.cause : '')}`,
    )
  }
  report.slowestMs = Math.max(report.slowestMs, performance.now() - start)
}

async function judge({ endpoint }: NamedEndpoint, response: Response): Promise<string[]> {
  const problems: string[] = []
  const type = response.headers.get('content-type') ?? ''
  if (response.headers.get('x-content-type-options') !== 'nosniff') problems.push('no nosniff')
  if (!response.headers.get('content-security-policy')) problems.push('no policy')
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return endpoint.produces === 'text/event-stream' ? problems : [...problems, 'a stream']
  }
  const text = await response.text()
  const { status } = response
  if (status >= 400) problems.push(...judgeError(endpoint, status, type, text))
  else if (endpoint.output) {
    const answer = type.startsWith('application/json') ? parseJson(text) : undefined
    const isDone = status === 200 || (status === 201 && endpoint.creates !== undefined)
    const isRight = isDone && z.safeParse(endpoint.output, answer).success
    if (!isRight) problems.push(`${status} ${type} ${text.slice(0, 300)}`)
  } else if (endpoint.produces && endpoint.produces !== 'no body') {
    const isRedirect = status === 303 || status === 304
    const isRight = type.startsWith(endpoint.produces) || type.startsWith('multipart/byteranges')
    if (!isRight && !isRedirect) problems.push(`${status} as ${type}`)
  } else if (status !== 204 || text !== '') problems.push(`${status}, with ${text.slice(0, 300)}`)
  return problems
}

function judgeError(
  endpoint: NamedEndpoint['endpoint'],
  status: number,
  type: string,
  text: string,
): string[] {
  const parsed = z.safeParse(errorBody, parseJson(text))
  if (!type.startsWith('application/json') || !parsed.success) {
    return [`${status} ${type} ${text.slice(0, 300)}`]
  }
  const { code } = parsed.data.error
  const declared: string[] = [...codesOfTransport, ...listErrorCodes(endpoint)]
  const isFault = code === 'internal' || code === 'unavailable'
  if (isFault || !declared.includes(code)) return [`${status} ${code}`]
  return errors[code as ErrorCode][0] === status ? [] : [`${code} as ${status}`]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Replaces callers who were signed out, banned or deleted with new people. */
async function renewCallers(app: TestApp, callers: Record<Who, string>): Promise<void> {
  // A request by an admin may have turned on maintenance mode.
  await app.services.db.query.updateTable('settings').set({ maintenance_mode: false }).execute()
  await app.services.settings.reload()
  const make: Record<Exclude<Who, 'nobody'>, Parameters<TestApp['makePerson']>[0]> = {
    admin: { role: 'admin' },
    premium: { tier: 'premium' },
    free: {},
  }
  for (const who of ['admin', 'premium', 'free'] as const) {
    const answer = await app.nobody.send('GET', '/api/profile', {
      headers: { cookie: callers[who] },
    })
    const { data } = answer.body as { data: { role: string } | null }
    const isWhole = data !== null && (who !== 'admin' || data.role === 'admin')
    if (!isWhole) callers[who] = (await app.makePerson(make[who])).cookie
  }
}

/** Creates rows to which generated input can refer, so that valid input is fully processed. */
async function makeRows(app: TestApp): Promise<KnownValues> {
  const { query } = app.services.db
  const name = `fuzz-${performance.now()}`
  const insert = {
    person: query.insertInto('profiles').values({ email: `${name}@velour.test` }),
    category: query
      .insertInto('category_metadata')
      .values({ category: name.replace('.', '-'), display_name: name }),
    genre: query.insertInto('genres').values({ name }),
    track: query
      .insertInto('tracks')
      .values({ title: name, artist: name, processing_status: 'ready', is_published: true }),
    playlist: query.insertInto('playlists').values({ title: name, is_curated: true }),
  }
  const person = await insert.person.returning('id').executeTakeFirstOrThrow()
  const category = await insert.category.returning('id').executeTakeFirstOrThrow()
  const genre = await insert.genre.returning('id').executeTakeFirstOrThrow()
  const track = await insert.track.returning('id').executeTakeFirstOrThrow()
  const playlist = await insert.playlist.returning('id').executeTakeFirstOrThrow()
  return {
    user_id: person.id,
    category_id: category.id,
    genre_id: genre.id,
    track_id: track.id,
    playlist_id: playlist.id,
    category: name.replace('.', '-'),
    genre: name,
    month: '2026-10',
    cover_path: null,
    logo_path: null,
    icon_path: null,
    avatar_path: null,
  }
}
