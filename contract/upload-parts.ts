// Uploading a file in parts: list the stored parts, request URLs for the missing ones, PUT each part to its URL, then
// complete the upload. Parts may come in any order, at once and again. The state is in the storage and the database, so an
// upload goes on after a reload, a restart, or on another instance.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { endpoint } from './endpoint.ts'

const params = z.object({ id: z.uuid() })
/** Limit of object stores per file. */
const maxParts = 10_000
const partNumber = z.number().check(z.int(), z.minimum(1), z.maximum(maxParts))

/** Maximum number of URLs per request. */
export const partsPerQuestion = 50

const unusable = [
  'upload_not_found',
  'upload_transport',
  'upload_used',
  'upload_expired',
  // It is being sent by PUT.
  'upload_locked',
  'storage_full',
] as const

/** The track that uses the file is audited; an unused file is deleted. */
const unusedUpload = { unaudited: 'A file changes nothing until a track uses it.' } as const

export const listUploadParts = endpoint({
  method: 'GET',
  path: '/api/uploads/:id/parts',
  summary: 'Which parts of a file are stored, and how it is cut.',
  access: 'creator',
  owned: 'filtered',
  params,
  output: z.object({
    byte_size: z.number(),
    part_bytes: z
      .number()
      .check(z.describe('Size of every part except the last, which is the remainder.')),
    data: z
      .array(z.object({ number: z.number(), byte_size: z.number() }))
      .check(z.describe('By part number, starting at 1.')),
    expires_at: timestamp,
  }),
  errors: unusable,
})

export const signUploadParts = endpoint({
  method: 'POST',
  path: '/api/uploads/:id/parts',
  summary: 'Addresses that take one part each by PUT, as often as needed until they end.',
  access: 'creator',
  owned: 'filtered',
  audit: unusedUpload,
  params,
  body: z.object({
    numbers: z.array(partNumber).check(z.minLength(1), z.maxLength(partsPerQuestion)),
    through_server: z
      .optional(z.boolean())
      .check(
        z.describe('Request URLs of this server, for clients that cannot reach an object store.'),
      ),
  }),
  output: z.object({
    data: z
      .array(z.object({ number: z.number(), byte_size: z.number(), url: z.string() }))
      .check(
        z.describe(
          '`url` accepts exactly `byte_size` bytes. It points to an object store, or is a path of this server.',
        ),
      ),
    expires_at: timestamp,
  }),
  errors: unusable,
})

export const sendUploadPart = endpoint({
  method: 'PUT',
  path: '/api/uploads/:id/parts/:number',
  summary: 'One part as the body, where its address is one of this server.',
  access: 'creator',
  owned: 'filtered',
  audit: unusedUpload,
  params: z.object({ id: z.uuid(), number: z.coerce.number().check(z.int(), z.minimum(1)) }),
  accepts: 'application/octet-stream',
  produces: 'no body',
  errors: [...unusable, 'upload_incomplete', 'payload_too_large'],
})

export const completeUploadParts = endpoint({
  method: 'POST',
  path: '/api/uploads/:id/complete',
  summary: 'Puts the parts together. Again is fine. What is not the announced file is thrown away.',
  access: 'creator',
  owned: 'filtered',
  audit: unusedUpload,
  params,
  body: z.object({
    sha256: z
      .optional(z.string().check(z.regex(/^[0-9a-f]{64}$/)))
      .check(
        z.describe(
          'Hash of the whole file, if the client knows it; the uploaded bytes must match.',
        ),
      ),
  }),
  errors: [
    'upload_not_found',
    'upload_transport',
    'upload_expired',
    'upload_locked',
    'upload_incomplete',
    'upload_damaged',
    'storage_full',
  ],
})
