// Registers an operation of the contract as a route: checks access, parses the input and the output. So a server
// function gets only checked and parsed input, and a response has only fields of the contract.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { type Access, isStaff, isStaffAccess } from '#contract/access.ts'
import type { CallInput, Endpoint, Output, ParsedInput } from '#contract/endpoint.ts'
import type { Database } from '../db/database.ts'
import { isInvalidValue } from '../db/database-error.ts'
import type { Replica } from '../replica/replica.ts'
import { createAuditedDatabase } from '../audit/audited-database.ts'
import { createOperationLimits, type OperationLimits } from '../limits/operation-limits.ts'
import { admit, admitBody, type AdmitRules } from './admit.ts'
import { AppError } from '../operations/app-error.ts'
import type { SecretBox } from '../security/secret-box.ts'
import {
  createIdempotentRequests,
  type IdempotentRequests,
  readIdempotencyKey,
} from './idempotency.ts'
import { readIfMatch, withPrecondition, withVersion } from './if-match.ts'
import {
  encodeResponse,
  sendResponse,
  getSuccessStatus,
  type JsonResponse,
} from './json-response.ts'
import { parseInput, type ParsedParts } from './parse-input.ts'
import { acceptsIdempotencyKey } from './request-headers.ts'
import { recordAccount } from './refusal-log.ts'
import { findOwnWrites } from './own-writes.ts'
import { JsonText, ReadyJson } from '../db/ready-json.ts'
import type { Actor, Context, MemberContext } from '../operations/context.ts'

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

/** Returns the output that the contract defines, or nothing. */
type JsonFunction<E> = (
  ctx: ContextOf<E>,
  input: ParsedInput<E>,
) => Promise<Output<E> extends undefined ? void : Output<E> | JsonText<Output<E>> | ReadyJson>

/** Sends the response itself, for streams, files and CSV. */
type RawFunction<E> = (
  ctx: ContextOf<E>,
  input: ParsedInput<E>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>

export type LimitToOwner = (
  db: Database,
  endpoint: Pick<Endpoint, 'method' | 'path' | 'owned'>,
  actor: Actor,
  input: ParsedParts,
) => Promise<Database>

export interface RouteServices extends AdmitRules {
  db: Database
  /** Encrypts the responses that are stored for Idempotency-Key. Null if no operation accepts the header. */
  secretBox: SecretBox | null
  /**
   * Returns the database handle for a call by a creator. The handle refuses changes of rows that don't belong to the
   * creator. Throws the operation's error if the input contains the id of an item that the creator may not access.
   */
  limitToOwner: LimitToOwner
  /** A standby for lists that may be slightly stale. Without it, the primary is used. */
  replica?: Replica | null
  now: () => Date
  /** Returns the caller, or null for a visitor. May throw an AppError. */
  findActor: (request: FastifyRequest) => Promise<Actor | null>
  /**
   * Resolves when the caches of this instance contain everything committed so far, so that a change by an admin or
   * the caller applies to the next request. Undefined if nothing is cached.
   */
  catchUp?: () => Promise<void>
  /** In tests, a response field that the contract lacks is an error. In production, the field is dropped. */
  strictOutput: boolean
}

export interface Route {
  <E extends AnyEndpoint>(endpoint: E, run: JsonFunction<E>): void
  raw: <E extends AnyEndpoint>(endpoint: E, run: RawFunction<E>) => void
}

/** Returns the function with which features register their operations on `app`. */
export function createRoute(app: FastifyInstance, services: RouteServices): Route {
  const { db, secretBox } = services
  const keyed = secretBox && createIdempotentRequests(db, secretBox)
  const route: Route = (endpoint, run) =>
    register(app, services, endpoint, async (ctx, input, request, reply) => {
      const act = async (actCtx: Context) => {
        const response: unknown = await run(actCtx as never, input as never)
        const body = encodeResponse(endpoint, response, services.strictOutput)
        return { status: getSuccessStatus(endpoint, input.body), body }
      }
      const limit = (inner: Database) => limitDatabase(services, endpoint, ctx.actor, input, inner)
      const response = await runIdempotently(keyed, endpoint, { ctx, request, reply }, limit, act)
      if (affectsNextRequest(endpoint, ctx.actor)) await services.catchUp?.()
      return sendResponse(endpoint, input.query, request, reply, response)
    })
  route.raw = (endpoint, run) =>
    register(app, services, endpoint, (ctx, input, request, reply) =>
      run(ctx as never, input as never, request, reply),
    )
  return route
}

/**
 * With an Idempotency-Key: returns the stored response, or runs `act` and stores its response in the same transaction.
 */
async function runIdempotently(
  keyed: IdempotentRequests | null,
  endpoint: AnyEndpoint,
  { ctx, request, reply }: { ctx: Context; request: FastifyRequest; reply: FastifyReply },
  limit: (db: Database) => Promise<Database>,
  act: (ctx: Context) => Promise<JsonResponse>,
): Promise<JsonResponse> {
  const key = acceptsIdempotencyKey(endpoint) ? readIdempotencyKey(request) : null
  const { actor } = ctx
  if (key === null || !actor || !keyed) return act(ctx)
  const response = await keyed.run({ key, userId: actor.user_id, request }, async (db) => {
    const { status, body = '' } = await act({ ...ctx, db: await limit(db) })
    return { status, body: body.toString() }
  })
  if (response.isReplayed) reply.header('idempotent-replayed', 'true')
  return response
}

type Handler = (
  ctx: Context,
  input: ParsedParts,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>

function register(
  app: FastifyInstance,
  services: RouteServices,
  endpoint: AnyEndpoint,
  handle: Handler,
): void {
  const limits = createLimits(app, services)
  if (isStaffAccess(endpoint.access) && endpoint.method !== 'GET' && !endpoint.audit) {
    throw new Error(`${endpoint.method} ${endpoint.path} declares no audit entry`)
  }
  if (endpoint.access === 'creator' && !endpoint.owned) {
    throw new Error(`${endpoint.method} ${endpoint.path} does not declare what a creator owns`)
  }
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    handler: async (request, reply) => {
      const actor = await services.findActor(request)
      if (actor) recordAccount(request, actor.email)
      const { params, query, body } = request
      const call = { request, actor, params, query, body }
      const setHeaders = (headers: Record<string, string>) => void reply.headers(headers)
      return run(services, limits, endpoint, { ...call, setHeaders }, (ctx, input) =>
        handle(ctx, input, request, reply),
      )
    },
  })
}

interface OperationCall {
  request: FastifyRequest
  actor: Actor | null
  params?: unknown
  query?: unknown
  body?: unknown
  /** Called with the headers that state the rate limits. */
  setHeaders: (headers: Record<string, string>) => void
}

/** Runs every check that the operation declares, then the operation. */
async function run(
  services: RouteServices,
  limits: OperationLimits,
  endpoint: AnyEndpoint,
  { request, actor, params, query, body, setHeaders }: OperationCall,
  handle: (ctx: Context, input: ParsedParts) => Promise<unknown>,
): Promise<unknown> {
  await admit(endpoint, actor, services)
  const caller: Omit<Context, 'db'> = {
    actor,
    now: services.now,
    log: request.log,
    ip: request.ip,
  }
  await limits.countWrite(endpoint, caller)
  const version = readIfMatch(endpoint, request)
  const named = version === null ? body : withVersion(body, version)
  const input = parseInput(endpoint, { params, query, body: named })
  await admitBody(endpoint, input.body, actor, services)
  const ownDb = await limitDatabase(services, endpoint, actor, input, services.db)
  const ctx: Context = { ...caller, db: ownDb }
  // Limits count after validation, so that invalid input does not use them up.
  return limits.run(endpoint, ctx, setHeaders, async () => {
    const { db, replica } = services
    if (version !== null) return withPrecondition(() => handle(ctx, input))
    if (!endpoint.mayLag || !replica) return handle(ctx, input)
    return readFromReplica({ db, replica }, ctx, request, (reading) => handle(reading, input))
  })
}

/**
 * Calls operations on behalf of another protocol, with the same checks, limits and audit entries as through their own
 * URLs. The caller has already authenticated `actor`.
 */
export type CallOperation = <E extends AnyEndpoint>(
  endpoint: E,
  operation: JsonFunction<E>,
  caller: { request: FastifyRequest; actor: Actor },
  input: CallInput<E>,
) => Promise<Output<E>>

export function createCallOperation(app: FastifyInstance, services: RouteServices): CallOperation {
  const limits = createLimits(app, services)
  // The other protocol has its own headers, so those of rate limits are dropped.
  const setHeaders = () => {}
  return async (endpoint, operation, caller, input) => {
    const response = await run(
      services,
      limits,
      endpoint,
      { ...caller, ...(input as object), setHeaders },
      (ctx, parsed) => operation(ctx as never, parsed as never),
    )
    if (response instanceof JsonText) return JSON.parse(response.text)
    return response instanceof ReadyJson
      ? JSON.parse(response.bytes.toString())
      : (response as never)
  }
}

/**
 * Returns a database handle that can make only the changes that the operation declares. For a creator, it can change
 * only the creator's own items.
 */
async function limitDatabase(
  { limitToOwner }: RouteServices,
  endpoint: AnyEndpoint,
  actor: Actor | null,
  input: ParsedParts,
  db: Database,
): Promise<Database> {
  const audited = isAudited(endpoint, actor) ? createAuditedDatabase(db, endpoint) : db
  const isCreator = actor?.role === 'creator' && endpoint.access === 'creator'
  return isCreator ? limitToOwner(audited, endpoint, actor, input) : audited
}

/** Whether the caller's next request must reflect the changes of this operation, even if it uses cached data. */
function affectsNextRequest(endpoint: AnyEndpoint, actor: Actor | null): boolean {
  if (endpoint.method === 'GET') return false
  return endpoint.changesCaller === true || isAudited(endpoint, actor)
}

/**
 * Whether the operation is audited. Includes operations open to others when staff call them, such as a simulated
 * billing event.
 */
function isAudited({ access, audit }: AnyEndpoint, actor: Actor | null): boolean {
  return isStaffAccess(access) || (audit !== undefined && actor !== null && isStaff(actor.role))
}

const limitsOfServers = new WeakMap<object, OperationLimits>()

/** Returns the limits of a server, which the routes of all its plugins share. */
function createLimits({ server }: FastifyInstance, { db }: RouteServices): OperationLimits {
  const limits = limitsOfServers.get(server) ?? createOperationLimits(db)
  limitsOfServers.set(server, limits)
  return limits
}

/**
 * Reads from the standby, and from the primary if that fails. If the standby is not the cause, the primary throws the
 * same error.
 */
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
    if (!isInvalidValue(error)) replica.doubt(error)
    return read(ctx)
  }
}
