// One line in the log for each refusal that counts against a limit or is a sign of an attack, in a form that programs
// such as fail2ban read: docs/operations.md has the filter. Names and form stay as they are.
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

/** Whom the request is about, or who sends it. */
export function noteAccount(request: FastifyRequest, email: string): void {
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
      // Never the address as it was asked for, which may hold a token.
      route: request.routeOptions.url ?? null,
    },
    'a request was refused',
  )
}

/** The same for one account in every line, and no address of a person. */
export function hashAccount(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 16)
}
