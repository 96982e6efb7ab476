// The declaration of one operation, used by the router, the client and the OpenAPI generator. Each operation is
// described here and nowhere else. The web build keeps only method and path (vite.contract.ts).
import type * as z from 'zod/mini'
import type { Access, StaffAccess } from './access.ts'
import type { AuditAction, AuditEntity } from './audit-names.ts'
import type { ErrorCode } from './errors.ts'
import type { DeclaredLimit } from './rate-limit.ts'

type Schema = z.ZodMiniType

/**
 * The audit entries of an operation of the back office. A map of entities to actions: each transaction that changes something must
 * write such an entry, or it is rolled back. `reads`: changes nothing (implied for GET). `unaudited`: the reason why
 * its changes need no entry.
 */
export type Audit =
  | Readonly<Partial<Record<AuditEntity, readonly AuditAction[]>>>
  | 'reads'
  | { unaudited: string }

/**
 * Fields of the request body by path (`change.kind`), each with the values that match: a list, or any value. One match
 * is enough.
 */
export type BodyFields = Readonly<Record<string, readonly string[] | 'any value'>>

/** Where the input names things, by the path of the field (`body.tracks.track_id`). */
export interface OwnedNames {
  /** A creator is refused unless each of these is a draft of theirs that no review locks. */
  drafts?: OwnedFields
  /** A creator is refused unless each of these belongs to them. */
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
   * Required where creators may call: what of the input has to belong to them. `filtered`: the operation reads and changes
   * only what is the caller's own.
   */
  owned?: OwnedNames | 'filtered'
  /**
   * Required for every operation of the back office except GET. For operations open to others it is enforced when its
   * staff calls them.
   */
  audit?: Audit
  params?: Params
  query?: Query
  body?: Body
  /** Media type of a request body that is not JSON. */
  accepts?: string
  /** Relevant request headers and their purpose. A name that ends in `?` is optional. */
  headers?: Readonly<Record<string, string>>
  /** JSON response with status 200, or 201 by `creates`. Absent: 204 without a body, unless `produces` is set. */
  output?: Output
  /**
   * Creates something: always, or if the body has one of these values. The status is 201 and `Idempotency-Key` is
   * accepted.
   */
  creates?: true | BodyFields
  /** Records or starts a payment: `Idempotency-Key` is accepted. */
  pays?: true
  /** A repeated request would act on a changed state, so `Idempotency-Key` is accepted. */
  dependsOnState?: true
  /**
   * Path of the version in the response: `version`, `playlist.version`. The version is also sent as the ETag. Where the
   * body may contain a version, `If-Match` is accepted instead.
   */
  versionAt?: string
  /** Media type of a response that is not JSON: a stream, a CSV, a picture. */
  produces?: string
  /** Redirect that may be returned instead: status and a description of the Location. */
  redirects?: readonly [status: 302 | 303, to: string]
  /**
   * Changes the name, picture, plan or role of the caller, which are cached with the session: the response waits until the
   * next request sees the change.
   */
  changesCaller?: true
  /** Available to everybody during maintenance. */
  duringMaintenance?: true
  /**
   * The response may be slightly stale and come from a read replica, but is never older than the caller's own changes
   * and the changes the server was notified of. Only for operations that read and store nothing.
   */
  mayLag?: true
  /**
   * Requires that the password or a second-factor code was given in the last 10 minutes: always, or if the body has one
   * of these fields.
   */
  needsConfirmation?: true | BodyFields
  /**
   * Rate limits of this operation, in addition to the limits on all operations (SECURITY.md). All of them apply. The
   * API page lists them, and `rate_limited` is added to its errors.
   */
  rateLimit?: DeclaredLimit | readonly DeclaredLimit[]
  /** Refuses access tokens of every scope, because it requires a signed-in session. See token-scopes.ts. */
  tokens?: 'refused'
  /** Error codes of this operation, in addition to those that every operation can return. */
  errors?: readonly ErrorCode[]
}

/** Extra constraints on a declaration: an operation of the back office that changes something must declare its audit entries. */
type DeclaredAudit<Who, How> = Who extends StaffAccess
  ? How extends 'GET'
    ? unknown
    : { audit: Audit }
  : unknown

/** What creators may call names what has to belong to them. */
type DeclaredOwner<Who> = Who extends 'creator' ? { owned: OwnedNames | 'filtered' } : unknown

/** Declares an operation; needed only for type inference. */
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

/** What the server's function receives after parsing. */
export type ParsedInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _O, infer _W>
    ? { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B> }
    : never

/** What the caller passes: only the parts that the operation accepts. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer _O, infer _W>
    ? (P extends Schema ? { params: Unparsed<P> } : unknown) &
        (Q extends Schema ? { query?: Unparsed<Q> } : unknown) &
        (B extends Schema ? { body: Unparsed<B> } : unknown)
    : never

/** The type of the response. */
export type Output<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer O, infer _W> ? Parsed<O> : never
