// Press links, each of which gives access to the page of an unpublished or restricted track, release or artist until it
// expires.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { cleanName } from '../fields/clean-name.ts'
import { endpoint } from '../endpoint.ts'
import { day } from '../rate-limit.ts'

export const pressKinds = ['track', 'release', 'artist'] as const
export const pressLinkMaxDays = 366
export const pressLinkDefaultDays = 14
/** Maximum number per track, release or artist, including expired links. */
export const maxPressLinks = 50

const item = { kind: z.enum(pressKinds), item_id: z.uuid() }

export const pressLink = z.object({
  id: z.uuid(),
  ...item,
  label: z.string().check(z.describe('The recipient.')),
  expires_at: timestamp,
  is_expired: z.boolean(),
  created_at: timestamp,
})
export type PressLink = z.infer<typeof pressLink>

export const listPressLinks = endpoint({
  method: 'GET',
  path: '/api/admin-press-links',
  summary:
    'The press links of a track, release or artist, newest first. Their secrets are not included.',
  access: 'admin',
  query: z.object(item),
  output: z.object({ data: z.array(pressLink) }),
})

export const createPressLink = endpoint({
  method: 'POST',
  path: '/api/admin-press-links',
  summary:
    'Create a link to the page and the previews of something that is not public. This is the only response that contains the link.',
  access: 'admin',
  creates: true,
  audit: { track: ['update'], release: ['update'], artist: ['update'] },
  body: z.object({
    ...item,
    label: z
      .string()
      .check(
        z.overwrite(cleanName),
        z.minLength(1, 'Enter who gets the link'),
        z.maxLength(100),
        z.describe('The recipient, for the list in the back office.'),
      ),
    days: z._default(
      z.number().check(z.int(), z.minimum(1), z.maximum(pressLinkMaxDays)),
      pressLinkDefaultDays,
    ),
  }),
  /** The full URL of the page. */
  output: z.object({ data: z.extend(pressLink, { url: z.string() }) }),
  rateLimit: { name: 'press-link', per: 'account', count: 500, seconds: day },
  errors: ['track_not_found', 'release_not_found', 'artist_not_found', 'too_many_keys'],
})

export const deletePressLink = endpoint({
  method: 'DELETE',
  path: '/api/admin-press-links/:id',
  summary: 'Revoke a press link immediately.',
  access: 'admin',
  audit: { track: ['update'], release: ['update'], artist: ['update'] },
  params: z.object({ id: z.uuid() }),
  errors: ['not_found'],
})
