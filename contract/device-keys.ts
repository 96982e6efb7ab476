// Device keys: each opens the account to one app of the Subsonic kind, or to one private feed. An app never gets the
// password of the account.
import * as z from 'zod/mini'
import { cleanName } from './fields/clean-name.ts'
import { endpoint } from './endpoint.ts'

export const keyNameMaxLength = 60
/** Keys, and tokens, that one person may have. */
export const maxKeysPerPerson = 20

export const keyName = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(1, 'Name is required'),
    z.maxLength(keyNameMaxLength),
    z.regex(/^[^\u0000]*$/),
  )

/** `feed`: a podcast of whole tracks, for Premium. */
export const keyPurposes = ['app', 'feed'] as const

export const deviceKey = z.object({
  id: z.uuid(),
  name: z.string(),
  purpose: z.enum(keyPurposes),
  created_at: z.string(),
  /** Exact to five minutes. Null: never used. */
  last_used_at: z.nullable(z.string()),
  /** What the app calls itself. */
  last_client: z.nullable(z.string()),
  /** The address without its last part: `203.0.113.0/24`. */
  last_network: z.nullable(z.string()),
})
export type DeviceKey = z.infer<typeof deviceKey>

export const createDeviceKey = endpoint({
  method: 'POST',
  path: '/api/device-keys',
  summary: 'A key for one app. The answer is the only one that contains it.',
  access: 'member',
  tokens: 'refused',
  needsConfirmation: true,
  body: z.object({ name: keyName, purpose: z._default(z.enum(keyPurposes), 'app') }),
  output: z.object({
    data: z.object({
      id: z.uuid(),
      name: z.string(),
      key: z.string(),
      /** What to type as server address and as user name. */
      server_url: z.string(),
      username: z.string(),
      /** The address of a private feed, which is the secret; null for apps. */
      feed_url: z.nullable(z.string()),
    }),
  }),
  errors: ['too_many_keys'],
})

export const listDeviceKeys = endpoint({
  method: 'GET',
  path: '/api/device-keys',
  summary: "The member's device keys, newest first, without the keys themselves.",
  access: 'member',
  tokens: 'refused',
  output: z.object({ data: z.array(deviceKey) }),
})

export const revokeDeviceKey = endpoint({
  method: 'DELETE',
  path: '/api/device-keys/:id',
  summary: 'Revoke one device key. Streams that run with it end.',
  access: 'member',
  tokens: 'refused',
  params: z.object({ id: z.uuid() }),
  errors: ['not_found'],
})
