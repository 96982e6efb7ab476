// How the bytes of a file get to the server: the server says which way when it gives the permission. Either way goes on
// where it was, after a break, a reload, or another day.
import { sendByParts } from '../../app/send-by-parts.ts'
import { sendByTus } from './send-by-tus.ts'

/** The permission to send one file; kept, so that it goes on where it was. */
export interface SignedUpload {
  path: string
  uploadUrl: string
  uploadToken: string
  /** Missing in what was kept by an older version. */
  transport?: 'tus' | 'parts' | null
}

export interface SendOptions {
  /** Of the file, hex. */
  sha256: string | null
  /** Hears how many bytes are there. */
  onProgress: (bytes: number) => void
  signal: AbortSignal
}

/** Resolves when the server has all of it. Throws an ApiError (status 0: no answer), or AbortError when given up. */
export type SendFile = (file: File, signed: SignedUpload, options: SendOptions) => Promise<void>

export const sendFile: SendFile = (file, signed, options) =>
  signed.transport === 'parts'
    ? sendByParts(file, signed.uploadUrl, options)
    : sendByTus(file, signed, options)

/** Nobody will go on with it: what has arrived need not wait for its time to end. */
export async function giveUpUpload({ uploadUrl, uploadToken }: SignedUpload): Promise<void> {
  const headers = { 'upload-token': uploadToken, 'tus-resumable': '1.0.0' }
  // When this does not get through, time takes it.
  await fetch(uploadUrl, { method: 'DELETE', headers, keepalive: true }).catch(() => {})
}
