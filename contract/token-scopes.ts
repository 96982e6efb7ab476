// What an access token may do. Which scope an operation needs follows from its declaration.
import { isStaffAccess } from './access.ts'
import type { Endpoint } from './endpoint.ts'

export const tokenScopes = ['read', 'library', 'admin'] as const
export type TokenScope = (typeof tokenScopes)[number]

type Declared = Pick<
  Endpoint,
  'method' | 'path' | 'access' | 'audit' | 'tokens' | 'needsConfirmation'
>

/**
 * The scope that a token needs for an operation. Null: no token may call it, because it belongs to the sign-in or needs a
 * confirmation, which only a person can give.
 */
export function scopeFor(endpoint: Declared): TokenScope | null {
  const { method, path, access, audit, tokens, needsConfirmation } = endpoint
  if (tokens === 'refused' || needsConfirmation === true || path.startsWith('/api/auth/'))
    return null
  // An operation that is open to others and audited does more for the staff.
  if (isStaffAccess(access) || audit !== undefined) return 'admin'
  return method === 'GET' ? 'read' : 'library'
}
