// The declaration of an operation, used by the router, the client and the OpenAPI generator. Each operation is
// described only here. The web build includes only method and path (vite.contract.ts).
import type * as z from 'zod/mini'
import type { Access, StaffAccess } from './access.ts'
import type { AuditAction, AuditEntity } from './audit-names.ts'
import type { ErrorCode } from './errors.ts'
import type { DeclaredLimit } from './rate-limit.ts'

type Schema = z.ZodMiniType

/**
 * The audit entries of a back-office operation. A map of entities to actions: every transaction that changes
 * something must write one of these entries, or it is rolled back. `reads`: the operation changes nothing (implied
 * for GET). `unaudited`: the reason why the changes need no entry.
 */
export type Audit =
  | Readonly<Partial<Record<AuditEntity, readonly AuditAction[]>>>
  | 'reads'
  | { unaudited: string }

/**
 * Fields of the request body by path (`change.kind`), each with its matching values or 'any value'. One matching
 * field is enough.
 */
export type BodyFields = Readonly<Record<string, readonly string[] | 'any value'>>

/** Paths of the input fields with ids of items that must belong to the creator, such as `body.tracks.track_id`. */
export interface OwnedNames {
  /** Creators are refused unless each of these items is their own draft and not locked by a review. */
  drafts?: OwnedFields
  /** Creators are refused unless each of these items belongs to them. */
  own?: OwnedFields
}
export type OwnedFields = Partial<Record<'track' | 'release', readonly string[]>>

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Endpoint<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Output extends Schema | undefined = Schema | undefined,
  Who extends Access = Access,
> {
  method: Method
  /** Path with `:name` parameters, in the router's syntax. */
  path: `/${string}`
  /** One line for the API page. */
  summary: string
  access: Who
  /**
   * Required if creators may call the operation: which ids in the input must belong to them. `filtered`: the operation
   * reads and changes only the caller's own items.
   */
  owned?: OwnedNames | 'filtered'
  /**
   * Required for every back-office operation except GET. On operations open to other roles, it is enforced when staff
   * call them.
   */
  audit?: Audit
  params?: Params
  query?: Query
  body?: Body
  /** Media type of a request body that is not JSON. */
  accepts?: string
  /** Relevant request headers and their purpose. A name that ends in `?` is optional. */
  headers?: Readonly<Record<string, string>>
  /**
   * JSON response with status 200, or 201 as determined by `creates`. If absent, the response is 204 without a body,
   * unless `produces` is set.
   */
  output?: Output
  /**
   * The operation creates something: always, or if the body has one of these values. It then returns 201 and accepts
   * `Idempotency-Key`.
   */
  creates?: true | BodyFields
  /** The operation records or starts a payment, and accepts `Idempotency-Key`. */
  pays?: true
  /** Repeating the operation could have a different effect, so it accepts `Idempotency-Key`. */
  dependsOnState?: true
  /**
   * Path of the version in the response: `version`, `playlist.version`. The version is also sent as the ETag. If the
   * body can contain a version, `If-Match` is accepted instead of it.
   */
  versionAt?: string
  /** Media type of a response that is not JSON, such as a stream, CSV or a picture. */
  produces?: string
  /** A redirect that may be returned instead of a body: its status, and a description of the Location. */
  redirects?: readonly [status: 302 | 303, to: string]
  /**
   * The operation changes the caller's name, picture, plan or role, which are cached with the session. The response
   * is sent once the caller's next request is guaranteed to see the change.
   */
  changesCaller?: true
  /** The operation is available to everyone during maintenance. */
  duringMaintenance?: true
  /**
   * The response may come from a read replica and be slightly stale. It always includes the caller's own changes, and
   * all changes of which the server was notified. Only for operations that read and store nothing.
   */
  mayLag?: true
  /**
   * Requires a confirmation with the password or a second-factor code within the last 10 minutes: always, or if the
   * body has one of these fields.
   */
  needsConfirmation?: true | BodyFields
  /**
   * Rate limits of this operation, in addition to those of all operations (SECURITY.md). All of them apply. The API
   * page lists them, and `rate_limited` is added to the errors.
   */
  rateLimit?: DeclaredLimit | readonly DeclaredLimit[]
  /** Refuses all access tokens, because the operation requires a signed-in session. See token-scopes.ts. */
  tokens?: 'refused'
  /** Error codes of this operation, in addition to those that every operation can return. */
  errors?: readonly ErrorCode[]
}

/** Requires `audit` for a back-office operation that changes something. Part of the type of a declaration. */
type DeclaredAudit<Who, How> = Who extends StaffAccess
  ? How extends 'GET'
    ? unknown
    : { audit: Audit }
  : unknown

/** Requires `owned` for an operation open to creators: which items have to belong to the caller. */
type DeclaredOwner<Who> = Who extends 'creator' ? { owned: OwnedNames | 'filtered' } : unknown

/** Declares an operation. The function only infers the types. */
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
    > &
    DeclaredOwner<Who>,
): Endpoint<Params, Query, Body, Output, Who> {
  return description
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined
type Unparsed<S> = S extends Schema ? z.input<S> : undefined

/** The parsed input that the server's handler receives. */
export type ParsedInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _O, infer _W>
    ? { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> }
    : never

/** The input that callers pass: only the parts that the operation accepts. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _O, infer _W>
    ? (P extends Schema ? { params: Unparsed<P> } : unknown) &
        (Q extends Schema ? { query?: Unparsed<Q> } : unknown) &
        (B extends Schema ? { body: Unparsed<B> } : unknown)
    : never

/** The response type. */
export type Output<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer O, infer _W> ? Parsed<O> : never
