// Re-encodes an uploaded picture into the small files that are shown. Runs in child processes, at most two
// concurrently, so that a picture can't exhaust the server's memory or crash it.
import { runInChild, runInPooledChild, createChildPool } from '../process/run-in-child.ts'
import type { PictureKind, ProcessedImage } from './encode-picture.ts'
import type { EncodedEmblem } from './encode-emblem.ts'
import type { EmblemKind } from './emblem-names.ts'
import { MediaError } from '../ffmpeg/media-error.ts'
import { isCoveredByCardFonts, collectCardText } from './card-letters.ts'
import type { Card, CardOrder } from './draw-card.ts'
import type { PictureResponse, PictureTask } from './picture-child.ts'
import { limitConcurrency } from '../process/limit-concurrency.ts'

export type { PictureKind, ProcessedImage } from './encode-picture.ts'

const timeoutMs = 60_000
const inTurn = limitConcurrency(2)

/**
 * Accepts JPEG, PNG, WebP, AVIF and GIF (its first picture) up to 20 MB and 40 million pixels, as bytes or as a path.
 * The format is detected from the content. Tall avatars are cropped above the middle, where faces are; tall covers in
 * the middle. Throws `unsupported_image`, `image_too_large`, `media_timeout` or `media_tool_failed`.
 */
export async function processImage(
  input: Uint8Array | string,
  { kind }: { kind: PictureKind },
): Promise<ProcessedImage> {
  return toImage(await runInTurn({ task: 'encode', input, kind }))
}

/** Encodes the files of a logo or icon. Accepts the same pictures as processImage and throws the same errors. */
export async function processEmblem(
  input: Uint8Array | string,
  kind: EmblemKind,
): Promise<EncodedEmblem> {
  const response = await runInTurn({ task: 'emblem', input, kind })
  if ('emblem' in response) return response.emblem
  throw toRefusal(response)
}

/** Encodes an SVG drawn by this service. Never call it with untrusted SVG. */
export async function processDrawing(svg: string): Promise<ProcessedImage> {
  return toImage(await runInTurn({ task: 'draw', svg }))
}

/** Draws the pictures of a link preview. The cover is a stored file of this service, so the process can be reused. */
export async function processCard(order: CardOrder): Promise<Card> {
  const response = await runInTurn({ task: 'card', order })
  if ('card' in response) return response.card
  throw toRefusal(response)
}

/**
 * Checks a file that is stored unchanged. Throws `unsupported_image`, `image_too_large` and the errors of processImage.
 */
export async function checkPictureFile(path: string): Promise<void> {
  const response = await runInTurn({ task: 'check', path })
  if (!('isPicture' in response)) throw toRefusal(response)
}

/** Converts a stored picture of this service to JPEG. */
export async function convertToJpeg(stored: Uint8Array): Promise<Uint8Array> {
  const response = await runInTurn({ task: 'jpeg', stored })
  if ('jpeg' in response) return response.jpeg
  throw toRefusal(response)
}

function toImage(response: PictureResponse): ProcessedImage {
  if ('image' in response) return response.image
  throw toRefusal(response)
}

function toRefusal(response: PictureResponse): MediaError {
  return 'code' in response
    ? new MediaError(response.code, response.message)
    : new MediaError('media_tool_failed', 'The picture process returned an unexpected response.')
}

const child = { module: new URL('./picture-child.ts', import.meta.url), isBackground: true }
// Separate pools, because a process that has read an untrusted picture must not draw. An import checks thousands of
// files, so the processes that check are reused as well, but only for checks.
const drawers = createChildPool(child)
const checkers = createChildPool(child)

function runInTurn(order: PictureTask): Promise<PictureResponse> {
  const question = { order, timeoutMs, failure }
  return inTurn(() => {
    if (order.task === 'encode' || order.task === 'emblem' || hasOtherScripts(order)) {
      return runInChild({ ...child, ...question })
    }
    return runInPooledChild(order.task === 'check' ? checkers : drawers, question)
  })
}

/**
 * Whether the picture needs fonts that are unpacked for it. They are removed afterwards, so the process can't be
 * reused.
 */
function hasOtherScripts(order: PictureTask): boolean {
  return order.task === 'card' && !isCoveredByCardFonts(collectCardText(order.order))
}

function failure(reason: 'timeout' | 'ended'): MediaError {
  return reason === 'timeout'
    ? new MediaError('media_timeout', 'The work on this picture took too long.')
    : new MediaError('media_tool_failed', 'The picture process ended without a response.')
}
