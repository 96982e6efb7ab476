// Sends a rendition: its bytes, or a redirect to the object store or CDN.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { signCdnUrl } from '../../platform/config/cdn-address.ts'
import type { Config } from '../../platform/config/config.ts'
import { renditionMime } from '../../platform/ffmpeg/renditions.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { FileServer } from '../../platform/streaming/file-server.ts'
import type { SentAudio, SentFile } from '../plays/sent-audio.ts'

/**
 * Only the listener's browser may cache the response, and it must revalidate each time, so that revoked rights take
 * effect immediately.
 */
const cacheControl = 'private, no-cache'
/** Lifetime of a redirect URL. A player that pauses for longer requests a new one. */
const lifetimeSeconds = 15 * 60

export interface SenderServices {
  config: Pick<Config, 's3Delivery' | 'cdn'>
  files: FileServer
  storage: Storage
  sentAudio: Pick<SentAudio, 'add'>
}

interface SendOptions {
  /**
   * For offline playback. Sent directly without a redirect, because a script reads it and an object store on another
   * origin may not allow that.
   */
  isDownload?: boolean
  /** The account and track for which the sent audio is recorded. Undefined for visitors. */
  sent?: SentFile | undefined
}

export async function sendRendition(
  { config, files, storage, sentAudio }: SenderServices,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  { isDownload = false, sent }: SendOptions = {},
): Promise<unknown> {
  const addSent = (share: number) => sent && sentAudio.add(sent, share)
  const redirects = config.s3Delivery === 'redirect' && !isDownload
  const address = redirects ? await signUrl(config, storage, key) : null
  if (!address) {
    return files.send(request, reply, {
      key,
      mime: renditionMime,
      cacheControl,
      vary: 'cookie',
      missing: 'track_file_missing',
      onSent: (bytes, byteSize) => addSent(bytes / byteSize),
    })
  }
  // The bytes that the object store sends cannot be counted here, so count the whole file as sent.
  addSent(1)
  return reply.header('cache-control', 'no-store').redirect(address, 302)
}

async function signUrl(
  { cdn }: Pick<Config, 'cdn'>,
  storage: Storage,
  key: string,
): Promise<string | null> {
  if (cdn) return signCdnUrl(cdn, key, { nowMs: Date.now(), lifetimeSeconds })
  return storage.signedUrl(key, { mime: renditionMime, cacheControl, lifetimeSeconds })
}

/** Sends a file. If it is missing, calls `onMissing` and sends the file that `findFallback` returns. */
export async function sendOrFallback(
  key: string,
  send: (key: string) => Promise<unknown>,
  {
    onMissing,
    findFallback,
  }: { onMissing: (key: string) => void; findFallback: () => Promise<string | null> },
): Promise<unknown> {
  try {
    return await send(key)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'track_file_missing')) throw error
    onMissing(key)
    const other = await findFallback()
    if (other === null) throw error
    return sendOrFallback(other, send, { onMissing, findFallback: async () => null })
  }
}
