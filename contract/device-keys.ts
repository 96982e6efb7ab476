// Device keys. A key gives one Subsonic app, or one private feed, access to the account without the password.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { cleanName } from './fields/clean-name.ts'
import { endpoint } from './endpoint.ts'

export const keyNameMaxLength = 60
/** Maximum number of keys per person. Access tokens have the same limit. */
export const maxKeysPerPerson = 20

export const keyName = z
  .string()
  .check(
    z.overwrite(cleanName),
    z.minLength(1, 'Name is required'),
    z.maxLength(keyNameMaxLength),
    z.regex(/^[^\u0000]*$/),
  )

/** `feed`: a private podcast feed of full tracks, for Premium members. */
export const keyPurposes = ['app', 'feed'] as const

export const deviceKey = z.object({
  id: z.uuid(),
  name: z.string(),
  purpose: z.enum(keyPurposes),
  created_at: timestamp,
  last_used_at: z
    .nullable(timestamp)
    .check(z.describe('Accurate to five minutes. Null if the key has never been used.')),
  last_client: z.nullable(z.string()).check(z.describe('The name sent by the app.')),
  last_network: z
    .nullable(z.string())
    .check(z.describe('The IP address without its last part: `203.0.113.0/24`.')),
})
export type DeviceKey = z.infer<typeof deviceKey>

export const createDeviceKey = endpoint({
  method: 'POST',
  path: '/api/device-keys',
  summary: 'Create a key for one app or feed. This is the only response that contains the key.',
  access: 'member',
  creates: true,
  tokens: 'refused',
  needsConfirmation: true,
  body: z.object({ name: keyName, purpose: z._default(z.enum(keyPurposes), 'app') }),
  output: z.object({
    data: z.object({
      id: z.uuid(),
      name: z.string(),
      key: z.string(),
      server_url: z
        .string()
        .check(z.describe('The server address and user name to enter in the app.')),
      username: z.string(),
      feed_url: z
        .nullable(z.string())
        .check(z.describe('The URL of a private feed, which contains the key. Null for apps.')),
    }),
  }),
  errors: ['too_many_keys'],
})

export const listDeviceKeys = endpoint({
  method: 'GET',
  path: '/api/device-keys',
  summary: "The member's device keys, newest first. The keys themselves are not included.",
  access: 'member',
  tokens: 'refused',
  output: z.object({ data: z.array(deviceKey) }),
})

export const revokeDeviceKey = endpoint({
  method: 'DELETE',
  path: '/api/device-keys/:id',
  summary: 'Revoke a device key. Streams that use this key end.',
  access: 'member',
  tokens: 'refused',
  params: z.object({ id: z.uuid() }),
  errors: ['not_found'],
})
