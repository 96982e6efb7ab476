// Multipart uploads: list the stored parts, request URLs for the missing ones, PUT each part to its URL, then complete
// the upload. Parts may be sent in any order, concurrently and repeatedly. The state is stored in the storage and the
// database, so an upload can continue after a reload, after a restart, or on another instance.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { endpoint } from './endpoint.ts'

const params = z.object({ id: z.uuid() })
/** Maximum number of parts per file in object stores. */
const maxParts = 10_000
const partNumber = z.number().check(z.int(), z.minimum(1), z.maximum(maxParts))

/** Maximum number of URLs per request. */
export const maxPartUrls = 50

const unusable = [
  'upload_not_found',
  'upload_transport',
  'upload_used',
  'upload_expired',
  // Returned while a single PUT request is writing the file.
  'upload_locked',
  'storage_full',
] as const

/** Uploads write no audit entry. The track that uses the file does, and unused files are deleted. */
const unusedUpload = { unaudited: 'A file changes nothing until a track uses it.' } as const

export const listUploadParts = endpoint({
  method: 'GET',
  path: '/api/uploads/:id/parts',
  summary: 'The stored parts of a file, and the part size.',
  access: 'creator',
  owned: 'filtered',
  params,
  output: z.object({
    byte_size: z.number(),
    part_bytes: z
      .number()
      .check(z.describe('Size of every part except the last one, which contains the remainder.')),
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
  summary:
    'Create URLs, each of which accepts one part by PUT. They can be used repeatedly until they expire.',
  access: 'creator',
  owned: 'filtered',
  audit: unusedUpload,
  params,
  body: z.object({
    numbers: z.array(partNumber).check(z.minLength(1), z.maxLength(maxPartUrls)),
    through_server: z
      .optional(z.boolean())
      .check(
        z.describe(
          'Whether to return URLs of this server, for clients that cannot reach an object store.',
        ),
      ),
  }),
  output: z.object({
    data: z
      .array(z.object({ number: z.number(), byte_size: z.number(), url: z.string() }))
      .check(
        z.describe(
          '`url` accepts exactly `byte_size` bytes. It points to an object store, or is a path on this server.',
        ),
      ),
    expires_at: timestamp,
  }),
  errors: unusable,
})

export const sendUploadPart = endpoint({
  method: 'PUT',
  path: '/api/uploads/:id/parts/:number',
  summary: 'Send one part as the body, if its URL is a path on this server.',
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
  summary:
    'Complete the upload by assembling the parts. Repeating the call has no effect. If the file differs from the announced one, it is deleted.',
  access: 'creator',
  owned: 'filtered',
  audit: unusedUpload,
  params,
  body: z.object({
    sha256: z
      .optional(z.string().check(z.regex(/^[0-9a-f]{64}$/)))
      .check(
        z.describe(
          'SHA-256 of the entire file, if known to the client. The uploaded bytes must match it.',
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
