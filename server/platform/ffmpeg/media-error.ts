// The errors of audio and picture processing. Codes are stable: the pipeline stores and compares them. Messages are
// shown to the uploader.

export type MediaErrorCode =
  /** Not a supported audio format. Retrying cannot help. */
  | 'unsupported_media'
  /** Longer than the limit. */
  | 'media_too_long'
  /** A supported format, but it cannot be decoded or ends too early. */
  | 'media_damaged'
  /** The stored recording is missing, or not the one that was uploaded. */
  | 'source_lost'
  /** The time limit was reached. Retrying may help. */
  | 'media_timeout'
  /** ffmpeg itself is missing, broken or out of memory: not the file's fault. */
  | 'media_tool_failed'
  | 'unsupported_image'
  | 'image_too_large'

export class MediaError extends Error {
  override readonly name = 'MediaError'
  readonly code: MediaErrorCode
  /** The end of the tool's own log, for the server's log; may name temporary files. */
  readonly toolLog: string | undefined

  constructor(
    code: MediaErrorCode,
    message: string,
    options: { cause?: unknown; toolLog?: string } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.toolLog = options.toolLog
  }
}

/** Whether the file itself is the cause, so that retrying cannot help. */
export function isPermanentMediaError(error: unknown): boolean {
  const codes: readonly MediaErrorCode[] = [
    'unsupported_media',
    'media_too_long',
    'media_damaged',
    'source_lost',
  ]
  return error instanceof MediaError && codes.includes(error.code)
}
