// Writes one log line for each refusal that counts against a limit or indicates an attack, for programs such as
// fail2ban. The filter in docs/operations.md matches these lines, so names and format must not change.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'

const reported: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_credentials',
  'password_wrong',
  'two_factor_invalid',
  'reset_token_invalid',
  'banned',
  'rate_limited',
  'foreign_origin',
  'forbidden',
  'webhook_invalid',
  'upload_token_invalid',
])

const accounts = new WeakMap<FastifyRequest, string>()

/** Sets the account for the log: the one that the request is about, or the one that sent it. */
export function recordAccount(request: FastifyRequest, email: string): void {
  accounts.set(request, email)
}

export function logRefusal(request: FastifyRequest, code: ErrorCode): void {
  if (!reported.has(code)) return
  const email = accounts.get(request)
  request.log.warn(
    {
      event: 'refused',
      code,
      address: request.ip,
      account: email === undefined ? null : hashAccount(email),
      method: request.method,
      // The route is logged instead of the URL, which may contain a token.
      route: request.routeOptions.url ?? null,
    },
    'a request was refused',
  )
}

/** A hash that is the same for an account in every line, so that no email address is logged. */
export function hashAccount(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 16)
}
