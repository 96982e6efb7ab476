// Uploading a file: request a signed path; send the file there by PUT, or in resumable parts (upload-parts.ts); then
// pass the path to the operation that uses it.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import type { Access } from './access.ts'
import { endpoint } from './endpoint.ts'
import { evidenceMaxBytes, evidenceMimes } from './fields/evidence.ts'
import { hour } from './rate-limit.ts'

export const buckets = ['audio', 'covers', 'evidence', 'archives'] as const
export type Bucket = (typeof buckets)[number]

/** The access level required to upload to each bucket. */
export const uploadAccess = {
  audio: 'creator',
  covers: 'member',
  evidence: 'creator',
  archives: 'editor',
} as const satisfies Record<Bucket, Access>

/** Maximum file size of each bucket, in bytes. */
export const uploadMaxBytes: Record<Bucket, number> = {
  audio: 2 * 1024 ** 3,
  covers: 20 * 1024 ** 2,
  evidence: evidenceMaxBytes,
  archives: 50 * 1024 ** 3,
}

const audioExtension = /\.(?:mp3|wav|wave|flac|m4a|m4b|mp4|aac|ogg|oga|opus|aif|aiff)$/i
/** MIME types that browsers report for audio files of an unknown type. */
const vagueAudioMime = /^(?:application\/(?:ogg|octet-stream|mp4)|video\/(?:mp4|ogg|webm))$/

/** Whether a file may be audio, by its name and MIME type. The pipeline checks the content. */
export function looksLikeAudio(filename: string, mime: string): boolean {
  return mime.startsWith('audio/') || (vagueAudioMime.test(mime) && audioExtension.test(filename))
}

/** MIME types that browsers report for zip archives. */
const archiveMime = /^application\/(?:zip|x-zip-compressed|x-zip|octet-stream)$/

/** Whether a file may be a zip archive, by its name and MIME type. */
export function looksLikeArchive(filename: string, mime: string): boolean {
  return archiveMime.test(mime) && /\.zip$/i.test(filename)
}

/** What each bucket accepts, for the API description. Other files are refused with their own error codes. */
function listUploadKinds(): object[] {
  const kind = (bucket: Bucket, rest: object) => ({
    properties: {
      bucket: { const: bucket },
      size: { maximum: uploadMaxBytes[bucket] },
      ...rest,
    },
  })
  // Writes each letter as a class of both cases, because JSON Schema patterns have no case-insensitive flag.
  const filename = audioExtension.source.replaceAll(
    /(?<!\\)[a-z](?=[a-z0-9?|)])/g,
    (letter) => `[${letter}${letter.toUpperCase()}]`,
  )
  return [
    kind('covers', { mime: { pattern: '^image/' } }),
    kind('evidence', { mime: { enum: evidenceMimes } }),
    kind('audio', { mime: { pattern: '^audio/' } }),
    kind('archives', {
      mime: { pattern: archiveMime.source },
      filename: { pattern: String.raw`\.[zZ][iI][pP]$` },
    }),
    kind('audio', { mime: { pattern: vagueAudioMime.source }, filename: { pattern: filename } }),
  ]
}

export const createSignedUpload = endpoint({
  method: 'POST',
  path: '/api/upload-signed-url',
  summary: 'Create a signed path that accepts one file of this kind and size, once within an hour.',
  access: 'member',
  creates: true,
  body: z
    .object({
      bucket: z.enum(buckets),
      filename: z.string().check(z.minLength(1), z.maxLength(255)),
      mime: z.string().check(z.maxLength(100), z.regex(/^[\w.+-]+\/[\w.+-]+$/)),
      size: z
        .optional(z.number().check(z.int(), z.minimum(0)))
        .check(
          z.describe(
            'Exact size in bytes. If given, the token is valid only for this size. Required to send the file in parts.',
          ),
        ),
    })
    .register(z.globalRegistry, { anyOf: listUploadKinds() }),
  output: z.object({
    id: z.uuid().check(z.describe('Identifies the upload in the operations that send its parts.')),
    path: z.string().check(z.describe('Identifies the file in the operation that uses it.')),
    uploadToken: z
      .string()
      .check(z.describe('Send it in the `Upload-Token` header of every request to `uploadUrl`.')),
    publicUrl: z
      .string()
      .check(
        z.describe(
          'The URL of a cover once it is used. Until then, and always for audio, it returns 404.',
        ),
      ),
    uploadUrl: z.string().check(z.describe('Accepts the entire file by PUT.')),
    transport: z
      .nullable(z.enum(['parts']))
      .check(
        z.describe(
          '`parts`: the file can also be sent in parts, see `listUploadParts`. The upload then expires two days after the last request for part URLs. Null if only PUT is possible.',
        ),
      ),
    expires_at: timestamp,
  }),
  // Limited because an upload may be a picture, which is decoded once and encoded six times.
  rateLimit: { name: 'upload', per: 'account', count: 100, seconds: hour, exceptAdmins: true },
  errors: [
    'file_empty',
    'forbidden',
    'second_factor_required',
    'payload_too_large',
    'unsupported_media',
    'unsupported_archive',
    'unsupported_image',
    'unsupported_evidence',
    'rate_limited',
    'storage_full',
  ],
})

const uploadParams = z.object({ id: z.uuid() })
const uploadToken = { 'Upload-Token': 'The `uploadToken` of the signed upload.' }

export const sendUpload = endpoint({
  method: 'PUT',
  path: '/api/uploads/:id',
  summary: 'Send the entire file as the body. Requires the `Upload-Token` header.',
  access: 'member',
  params: uploadParams,
  headers: uploadToken,
  accepts: 'application/octet-stream',
  produces: 'no body',
  errors: [
    'upload_token_invalid',
    'upload_transport',
    'upload_used',
    'upload_expired',
    'upload_locked',
    'upload_incomplete',
    'payload_too_large',
    'storage_full',
  ],
})

export const stopUpload = endpoint({
  method: 'DELETE',
  path: '/api/uploads/:id',
  summary:
    'Abort an unfinished upload, sent as a whole or in parts. Requires the `Upload-Token` header.',
  access: 'member',
  params: uploadParams,
  headers: uploadToken,
  produces: 'no body',
  errors: ['upload_token_invalid', 'upload_used', 'upload_expired'],
})
