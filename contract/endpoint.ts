// What one operation promises: a constant that the router takes, the client takes, and the OpenAPI
// document is generated from. An operation is described here once and nowhere else. Built for the web it has
// method and path alone (vite.contract.ts).
import type * as z from 'zod/mini'
import type { AuditAction, AuditEntity } from './audit-names.ts'
import type { ErrorCode } from './errors.ts'

type Schema = z.ZodMiniType

/**
 * Who may call: `anyone`, `member` (any signed-in person who is not banned) or `admin`.
 * Plan rights and ownership are decided inside the operation, not here.
 */
export type Access = 'anyone' | 'member' | 'admin'

/**
 * What an admin's operation leaves in the audit trail. A map of entities to actions: each transaction that changes
 * something writes such an entry, or is rolled back. `reads`: it changes nothing; GET needs no word for that.
 * `unaudited`: why its changes need no entry.
 */
export type Audit =
  | Readonly<Partial<Record<AuditEntity, readonly AuditAction[]>>>
  | 'reads'
  | { unaudited: string }

/**
 * Fields of the body by their path (`change.kind`), and the values of each that need a confirmation: these, or any at
 * all. One of them is enough.
 */
export type ConfirmedFields = Readonly<Record<string, readonly string[] | 'any value'>>

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Endpoint<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Output extends Schema | undefined = Schema | undefined,
  Who extends Access = Access,
> {
  method: Method
  /** Path with `:name` parameters, as the router writes them. */
  path: `/${string}`
  /** One line for the reader of the API page. */
  summary: string
  access: Who
  /** Every admins' operation but GET has it; one that is open to others is held to it where an admin calls it. */
  audit?: Audit
  params?: Params
  query?: Query
  body?: Body
  /** Media type of a request body that is not JSON. */
  accepts?: string
  /** Request headers that matter here, and what each is for. A name that ends in `?` may be left out. */
  headers?: Readonly<Record<string, string>>
  /** JSON answer with status 200. Absent: 204 with no body, unless `produces` says otherwise. */
  output?: Output
  /** Media type of an answer that is not JSON: a stream, a CSV, a picture. */
  produces?: string
  /** Where the answer may lead to instead (status and place), in its Location header. */
  redirects?: readonly [status: 302 | 303, to: string]
  /** Answers during maintenance too, for everybody. */
  duringMaintenance?: true
  /**
   * The answer may be a moment old, and come from a copy of the database: never older than what the caller has changed
   * or the server has been told of. Only for what reads and keeps nothing.
   */
  mayLag?: true
  /**
   * Refused unless the password or a code of the second factor was given in the last 10 minutes: always, or where the body
   * has one of these fields.
   */
  needsConfirmation?: true | ConfirmedFields
  /** Codes this operation gives beyond those that every operation may give. */
  errors?: readonly ErrorCode[]
}

/** What the types ask of a declaration beyond `Endpoint`: an admin's change says what it leaves in the audit trail. */
type DeclaredAudit<Who, How> = Who extends 'admin'
  ? How extends 'GET'
    ? unknown
    : { audit: Audit }
  : unknown

/** Declares an operation; exists for its types alone. */
export function endpoint<
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Output extends Schema | undefined = undefined,
  const Who extends Access = Access,
  const How extends Method = Method,
>(
  description: Endpoint<Params, Query, Body, Output, Who> & { method: How } & DeclaredAudit<
      Who,
      How
    >,
): Endpoint<Params, Query, Body, Output, Who> {
  return description
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined
type Unparsed<S> = S extends Schema ? z.input<S> : undefined

/** What the server's function receives, after parsing. */
export type ParsedInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _O, infer _W>
    ? { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> }
    : never

/** What the caller gives: only the parts that the operation has. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _O, infer _W>
    ? (P extends Schema ? { params: Unparsed<P> } : unknown) &
        (Q extends Schema ? { query?: Unparsed<Q> } : unknown) &
        (B extends Schema ? { body: Unparsed<B> } : unknown)
    : never

/** What comes back. */
export type Output<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer O, infer _W> ? Parsed<O> : never
