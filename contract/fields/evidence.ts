// Files that document how a track was made.

export const evidenceMimes = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/webp',
  'text/plain',
] as const
export type EvidenceMime = (typeof evidenceMimes)[number]

export const evidenceMaxBytes = 20 * 1024 ** 2
/** Maximum number of files per track. */
export const maxEvidence = 10
