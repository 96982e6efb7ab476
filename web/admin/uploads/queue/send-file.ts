// Uploads a file in parts. An upload can be resumed after an interruption or a reload, even days later.
import { sendByParts } from '../../../base/upload/send-by-parts.ts'

/** The server's permission to upload one file. It is stored to resume the upload after a reload. */
export interface SignedUpload {
  path: string
  uploadUrl: string
  uploadToken: string
}

export interface SendOptions {
  /** SHA-256 of the file in hex. */
  sha256: string | null
  /** Called with the number of bytes that the server has. */
  onProgress: (bytes: number) => void
  signal: AbortSignal
}

/**
 * Resolves when the server has the whole file. Throws an ApiError, with status 0 if there was no response, or
 * AbortError when aborted.
 */
export type SendFile = (file: File, signed: SignedUpload, options: SendOptions) => Promise<void>

export const sendFile: SendFile = (file, { uploadUrl }, options) =>
  sendByParts(file, uploadUrl, options)

/** Deletes an upload that isn't needed any more. Otherwise the server would keep its bytes until the upload expires. */
export async function discardUpload({ uploadUrl, uploadToken }: SignedUpload): Promise<void> {
  const headers = { 'upload-token': uploadToken }
  // Ignore an error: the server deletes the upload anyway when it expires.
  await fetch(uploadUrl, { method: 'DELETE', headers, keepalive: true }).catch(() => {})
}
