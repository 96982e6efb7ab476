// Files that document how a track was made: receipts, screenshots, terms of a tool. Private to admins, like the
// origins.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { evidenceMimes } from '../fields/evidence.ts'
import { trackParams } from '../tracks.ts'

export const trackEvidence = z.object({
  id: z.uuid(),
  filename: z.string(),
  mime: z
    .enum(evidenceMimes)
    .check(z.describe('Detected from the content, not from the file name.')),
  byte_size: z.number(),
  sha256: z.string().check(z.describe('The hash of the unchanged file, in hexadecimal.')),
  created_at: timestamp,
})
export type TrackEvidence = z.infer<typeof trackEvidence>

const fileParams = z.object({ id: z.uuid(), evidence_id: z.uuid() })

export const listTrackEvidence = endpoint({
  method: 'GET',
  path: '/api/admin-tracks/:id/evidence',
  summary: 'The evidence files of a track, oldest first. Private to admins.',
  access: 'creator',
  owned: { own: { track: ['params.id'] } },
  params: trackParams,
  output: z.object({ data: z.array(trackEvidence) }),
  errors: ['track_not_found'],
})

export const addTrackEvidence = endpoint({
  method: 'POST',
  path: '/api/admin-tracks/:id/evidence',
  summary:
    'Store a completed upload as evidence, unchanged: a PDF, PNG, JPEG or WebP file, or text in UTF-8. A track can have at most ten.',
  access: 'creator',
  owned: { drafts: { track: ['params.id'] } },
  creates: true,
  audit: { track: ['update'] },
  params: trackParams,
  body: z.object({
    path: z
      .string()
      .check(z.minLength(1), z.maxLength(300))
      .check(z.describe('The `path` of a completed upload to the bucket `evidence`.')),
  }),
  output: trackEvidence,
  errors: [
    'track_not_found',
    'unsupported_evidence',
    'too_much_evidence',
    'upload_incomplete',
    'upload_used',
    'upload_not_found',
  ],
})

export const downloadTrackEvidence = endpoint({
  method: 'GET',
  path: '/api/admin-tracks/:id/evidence/:evidence_id/file',
  summary: 'Download an evidence file, unchanged.',
  access: 'creator',
  owned: { own: { track: ['params.id'] } },
  params: fileParams,
  produces: 'application/octet-stream',
  errors: ['not_found', 'track_file_missing'],
})

export const deleteTrackEvidence = endpoint({
  method: 'DELETE',
  path: '/api/admin-tracks/:id/evidence/:evidence_id',
  summary: 'Delete an evidence file permanently.',
  access: 'creator',
  owned: { drafts: { track: ['params.id'] } },
  needsConfirmation: true,
  audit: { track: ['update'] },
  params: fileParams,
  errors: ['track_not_found', 'not_found'],
})
