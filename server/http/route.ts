// Turns a contract constant into a route: who may call, parsed input, parsed output. Nothing reaches
// a server function unguarded or unparsed, and nothing leaves with a field the contract lacks.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Access, Endpoint, Output, ParsedInput } from '#contract/endpoint.ts'
import type { FieldProblem } from '#contract/errors.ts'
import type { Database } from '../db/database.ts'
import { isRefusedValue } from '../db/database-error.ts'
import type { Replica } from '../db/replica.ts'
import { auditedDatabase } from '../audit/audited-database.ts'
import { countAct } from './act-limits.ts'
import { admit, admitBody, type AdmitRules } from './admit.ts'
import { AppError } from './app-error.ts'
import { noteAccount } from './refusal-log.ts'
import { findOwnWrites } from './own-writes.ts'
import { JsonText, ReadyJson } from './ready-json.ts'
import type { Actor, Context, MemberContext } from './context.ts'
import { WritesInProgress } from './writes-in-progress.ts'
import { WritesPerHour } from './writes-per-hour.ts'

type ContextOf<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer _O, infer Who>
    ? Who extends 'anyone'
      ? Context
      : MemberContext
    : never

type AnyEndpoint = Endpoint<
  z.ZodMiniType | undefined,
  z.ZodMiniType | undefined,
  z.ZodMiniType | undefined,
  z.ZodMiniType | undefined,
  Access
>

/** Answers with what the contract's output promises (or nothing, where it has none). */
type JsonFunction<E> = (
  ctx: ContextOf<E>,
  input: ParsedInput<E>,
) => Promise<Output<E> extends undefined ? void : Output<E> | JsonText<Output<E>> | ReadyJson>

/** Answers by itself: streams, files, CSV. */
type RawFunction<E> = (
  ctx: ContextOf<E>,
  input: ParsedInput<E>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>

export interface RouteServices extends AdmitRules {
  db: Database
  /** Where lists that may lag are read from; absent: nowhere else. */
  replica?: Replica | null
  now: () => Date
  /** Who is calling, from the session cookie; null when nobody is signed in. */
  findActor: (request: FastifyRequest) => Promise<Actor | null>
  /** In tests an answer with a field that the contract lacks is an error; in production the field is dropped. */
  strictOutput: boolean
}

export interface Route {
  <E extends AnyEndpoint>(endpoint: E, run: JsonFunction<E>): void
  raw: <E extends AnyEndpoint>(endpoint: E, run: RawFunction<E>) => void
}

/** Makes the function with which features register their operations on `app`. */
export function createRoute(app: FastifyInstance, services: RouteServices): Route {
  const route: Route = (endpoint, run) =>
    register(app, services, endpoint, async (ctx, input, _request, reply) => {
      const answer: unknown = await run(ctx as never, input as never)
      return reply.send(encodeAnswer(reply, endpoint, answer, services.strictOutput))
    })
  route.raw = (endpoint, run) =>
    register(app, services, endpoint, (ctx, input, request, reply) =>
      run(ctx as never, input as never, request, reply),
    )
  return route
}

type Handler = (
  ctx: Context,
  input: { params: unknown; query: unknown; body: unknown },
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>

function register(
  app: FastifyInstance,
  services: RouteServices,
  endpoint: AnyEndpoint,
  handle: Handler,
): void {
  const { inProgress, perHour } = writesOf(app)
  if (endpoint.access === 'admin' && endpoint.method !== 'GET' && !endpoint.audit) {
    throw new Error(`${endpoint.method} ${endpoint.path} declares no audit entry`)
  }
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    handler: async (request, reply) => {
      const actor = await services.findActor(request)
      if (actor) noteAccount(request, actor.email)
      await admit(endpoint, actor, services)
      const ctx: Context = {
        db: isAudited(endpoint, actor) ? auditedDatabase(services.db, endpoint) : services.db,
        actor,
        now: services.now,
        log: request.log,
        ip: request.ip,
      }
      perHour.count(endpoint, ctx)
      const input = {
        params: parsePart('path', endpoint.params, request.params),
        query: parsePart('query', endpoint.query, request.query),
        body: parsePart('body', endpoint.body, request.body),
      }
      await admitBody(endpoint, input.body, actor, services)
      return inProgress.run(endpoint, ctx, async () => {
        // Only what is right costs anything.
        await countAct(endpoint, { ...ctx, db: services.db })
        const { db, replica } = services
        if (!endpoint.mayLag || !replica) return handle(ctx, input, request, reply)
        return readFromReplica({ db, replica }, ctx, request, (reading) =>
          handle(reading, input, request, reply),
        )
      })
    },
  })
}

/** What anyone may call is an admin's change when an admin calls it: a made-up billing event. */
function isAudited({ access, audit }: AnyEndpoint, actor: Actor | null): boolean {
  return access === 'admin' || (audit !== undefined && actor?.role === 'admin')
}

interface Writes {
  inProgress: WritesInProgress
  perHour: WritesPerHour
}
const writesOfServers = new WeakMap<object, Writes>()

/** All routes of a server count together, whichever part of it registers them. */
function writesOf({ server }: FastifyInstance): Writes {
  const writes = writesOfServers.get(server) ?? {
    inProgress: new WritesInProgress(),
    perHour: new WritesPerHour(),
  }
  writesOfServers.set(server, writes)
  return writes
}

/** What fails there is asked of the primary, which says so if the reason is another one. */
async function readFromReplica(
  { db: primary, replica }: { db: Database; replica: Replica },
  ctx: Context,
  request: FastifyRequest,
  read: (ctx: Context) => Promise<unknown>,
): Promise<unknown> {
  const db = await replica.forReading(findOwnWrites(request))
  if (db === primary) return read(ctx)
  try {
    return await read({ ...ctx, db })
  } catch (error) {
    if (error instanceof AppError) throw error
    if (!isRefusedValue(error)) replica.doubt(error)
    return read(ctx)
  }
}

function parsePart(
  place: 'path' | 'query' | 'body',
  schema: z.ZodMiniType | undefined,
  value: unknown,
): unknown {
  if (!schema) return undefined
  const result = z.safeParse(schema, value ?? (place === 'body' ? undefined : {}))
  if (result.success) {
    const text = textOf(place, result.data)
    refuseNul(place, text)
    return hasLoneSurrogate.test(text) ? toWellFormed(result.data) : result.data
  }
  // A path that cannot name anything is a thing that does not exist.
  if (place === 'path') throw new AppError('not_found')
  const details: FieldProblem[] = result.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
  }))
  throw new AppError('invalid_input', { details })
}

/** PostgreSQL's text cannot hold U+0000, and nobody types one. What the schema dropped may hold anything. */
function refuseNul(place: 'path' | 'query' | 'body', text: string): void {
  if (!/(?<!\\)(?:\\\\)*\\u0000/.test(text)) return
  if (place === 'path') throw new AppError('not_found')
  throw new AppError('invalid_input', {
    details: [{ field: '', message: 'Text must not contain NUL characters' }],
  })
}

/** JSON.stringify writes half characters as escapes; a backslash before them is one that somebody typed. */
const hasLoneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/

/** The database would keep U+FFFD in their place, and the answer would still have them. */
function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(toWellFormed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toWellFormed(each)]))
}

/** What is nested thousands of levels deep can be read, but not walked. */
function textOf(place: string, value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new AppError('invalid_input', { cause, details: [{ field: place, message: 'Too deep' }] })
  }
}

function encodeAnswer(
  reply: FastifyReply,
  endpoint: AnyEndpoint,
  answer: unknown,
  strict: boolean,
): Buffer | string | undefined {
  if (!endpoint.output) {
    reply.code(204)
    return undefined
  }
  reply.header('content-type', 'application/json; charset=utf-8')
  // Nobody's answer is for whoever comes next to the same cache.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  if (answer instanceof ReadyJson || answer instanceof JsonText) {
    const written = answer instanceof JsonText ? answer.text : answer.bytes
    if (strict) encodeChecked(endpoint, JSON.parse(written.toString()), strict)
    return written
  }
  return encodeChecked(endpoint, answer, strict)
}

function encodeChecked(endpoint: AnyEndpoint, answer: unknown, strict: boolean): string {
  const parsed = endpoint.output && z.parse(endpoint.output, answer)
  const text = JSON.stringify(parsed)
  if (strict) refuseDroppedFields(endpoint, text, answer)
  return text
}

function refuseDroppedFields(endpoint: AnyEndpoint, text: string, answer: unknown): void {
  const sortKeys = (_key: string, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  const kept = JSON.stringify(JSON.parse(text), sortKeys)
  const given = JSON.stringify(JSON.parse(JSON.stringify(answer)), sortKeys)
  if (kept !== given) {
    throw new Error(`${endpoint.method} ${endpoint.path} answered with fields beyond its contract`)
  }
}
