// Uploads a file in parts. Resumes after an interruption or reload, even on another day.
import { sendByParts } from '../../../base/upload/send-by-parts.ts'

/** Permission to upload one file. Stored so that the upload can resume. */
export interface SignedUpload {
  path: string
  uploadUrl: string
  uploadToken: string
}

export interface SendOptions {
  /** Hash of the file, in hex. */
  sha256: string | null
  /** Called with the number of bytes on the server. */
  onProgress: (bytes: number) => void
  signal: AbortSignal
}

/**
 * Resolves when the server has the whole file. Throws an ApiError (status 0 if there was no response), or AbortError
 * when aborted.
 */
export type SendFile = (file: File, signed: SignedUpload, options: SendOptions) => Promise<void>

export const sendFile: SendFile = (file, { uploadUrl }, options) =>
  sendByParts(file, uploadUrl, options)

/** Deletes an abandoned upload, so that the server doesn't keep its bytes until they expire. */
export async function discardUpload({ uploadUrl, uploadToken }: SignedUpload): Promise<void> {
  const headers = { 'upload-token': uploadToken }
  // If this fails, the server deletes the upload when it expires.
  await fetch(uploadUrl, { method: 'DELETE', headers, keepalive: true }).catch(() => {})
}
