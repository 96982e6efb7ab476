// Sends a file in parts: resumes after an interruption, a reload, or on another day.
import { sendByParts } from '../../../base/upload/send-by-parts.ts'

/** Permission to upload one file. Stored, so the upload can resume. */
export interface SignedUpload {
  path: string
  uploadUrl: string
  uploadToken: string
}

export interface SendOptions {
  /** Hash of the file, in hex. */
  sha256: string | null
  /** Called with the number of bytes the server has. */
  onProgress: (bytes: number) => void
  signal: AbortSignal
}

/** Resolves when the server has all of it. Throws an ApiError (status 0: no answer), or AbortError when aborted. */
export type SendFile = (file: File, signed: SignedUpload, options: SendOptions) => Promise<void>

export const sendFile: SendFile = (file, { uploadUrl }, options) =>
  sendByParts(file, uploadUrl, options)

/** Deletes an abandoned upload, so the server doesn't keep its bytes until they expire. */
export async function giveUpUpload({ uploadUrl, uploadToken }: SignedUpload): Promise<void> {
  const headers = { 'upload-token': uploadToken }
  // If this fails, the server removes the upload when it expires.
  await fetch(uploadUrl, { method: 'DELETE', headers, keepalive: true }).catch(() => {})
}
