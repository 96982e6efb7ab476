// Personal access tokens. A program uses one to call this API on behalf of a person, with some of that person's
// rights.
import * as z from 'zod/mini'
import { keyName } from './device-keys.ts'
import { endpoint } from './endpoint.ts'
import { dayOrMoment, timestamp } from './fields/dates.ts'
import { tokenScopes } from './token-scopes.ts'

/** How long a token is valid if it is created without `expires_at`. */
export const tokenDefaultDays = 90
export const tokenMaxDays = 366

const scopes = z
  .array(z.enum(tokenScopes))
  .check(z.minLength(1, 'Choose at least one scope'), z.maxLength(tokenScopes.length))

export const accessToken = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes,
  expires_at: timestamp,
  is_expired: z.boolean(),
  created_at: timestamp,
  last_used_at: z
    .nullable(timestamp)
    .check(z.describe('Accurate to five minutes. Null if the token has never been used.')),
  last_network: z.nullable(z.string()),
})
export type AccessToken = z.infer<typeof accessToken>

export const createAccessToken = endpoint({
  method: 'POST',
  path: '/api/tokens',
  summary:
    'Create a token for `Authorization: Bearer`. It is valid for 90 days unless `expires_at` is set, which may be at most 366 days ahead. This is the only response that contains the token. Only admins can choose the scope `admin`.',
  access: 'member',
  creates: true,
  tokens: 'refused',
  needsConfirmation: true,
  audit: { access_token: ['create'] },
  body: z.object({ name: keyName, scopes, expires_at: z.optional(dayOrMoment) }),
  output: z.object({
    data: z.object({
      id: z.uuid(),
      name: z.string(),
      token: z.string(),
      scopes,
      expires_at: timestamp,
    }),
  }),
  errors: ['too_many_keys', 'forbidden', 'invalid_expiry'],
})

export const listAccessTokens = endpoint({
  method: 'GET',
  path: '/api/tokens',
  summary: "The member's access tokens, newest first. The tokens themselves are not included.",
  access: 'member',
  tokens: 'refused',
  output: z.object({ data: z.array(accessToken) }),
})

export const revokeAccessToken = endpoint({
  method: 'DELETE',
  path: '/api/tokens/:id',
  summary: 'Revoke an access token.',
  access: 'member',
  tokens: 'refused',
  audit: { access_token: ['delete'] },
  params: z.object({ id: z.uuid() }),
  errors: ['not_found'],
})
