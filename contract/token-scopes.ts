// The scopes of access tokens. The scope that an operation requires is derived from its declaration.
import { isStaffAccess } from './access.ts'
import type { Endpoint } from './endpoint.ts'

export const tokenScopes = ['read', 'library', 'admin'] as const
export type TokenScope = (typeof tokenScopes)[number]

type Declared = Pick<
  Endpoint,
  'method' | 'path' | 'access' | 'audit' | 'tokens' | 'needsConfirmation'
>

/**
 * The scope that a token needs for an operation. Null if no token may call it, because the operation belongs to signing
 * in, or needs a confirmation that only a person can give.
 */
export function getRequiredScope(endpoint: Declared): TokenScope | null {
  const { method, path, access, audit, tokens, needsConfirmation } = endpoint
  if (tokens === 'refused' || needsConfirmation === true || path.startsWith('/api/auth/'))
    return null
  // An operation open to other roles that declares audit entries has additional effects when staff call it.
  if (isStaffAccess(access) || audit !== undefined) return 'admin'
  return method === 'GET' ? 'read' : 'library'
}
