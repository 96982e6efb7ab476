// The errors of audio and picture processing. The codes must not change, because the pipeline stores and compares
// them. Messages are shown to the person who uploaded the file.

export type MediaErrorCode =
  /** Not a supported audio format. */
  | 'unsupported_media'
  /** Longer than the maximum length. */
  | 'media_too_long'
  /** A supported format, but it cannot be decoded or ends too early. */
  | 'media_damaged'
  /** The stored recording is missing, or is not the one that was uploaded. */
  | 'source_lost'
  /** The time limit was reached. A retry may succeed. */
  | 'media_timeout'
  /** ffmpeg is missing, broken or out of memory. The file is not the cause. */
  | 'media_tool_failed'
  | 'unsupported_image'
  | 'image_too_large'

export class MediaError extends Error {
  override readonly name = 'MediaError'
  readonly code: MediaErrorCode
  /** The end of ffmpeg's log, for the server's log. It may name temporary files. */
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

/** Whether the file itself is the cause, so that a retry cannot succeed. */
export function isPermanentMediaError(error: unknown): boolean {
  const codes: readonly MediaErrorCode[] = [
    'unsupported_media',
    'media_too_long',
    'media_damaged',
    'source_lost',
  ]
  return error instanceof MediaError && codes.includes(error.code)
}
