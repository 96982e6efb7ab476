// Turns any picture a person sends into the few small files that are shown, in a child process and
// two at a time at most, so that pictures cost the server neither memory nor its life.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PictureKind, ProcessedImage } from './encode-picture.ts'
import { lowerPriority } from './lower-priority.ts'
import { MediaError } from './media-error.ts'
import type { PictureAnswer, PictureTask } from './picture-child.ts'
import { takeTurns } from './take-turns.ts'

export type { PictureKind, ProcessedImage } from './encode-picture.ts'

const timeoutMs = 60_000
const inTurn = takeTurns(2)
const askChild = (task: PictureTask) => inTurn(() => runChild(task))

/**
 * Takes JPEG, PNG, WebP, AVIF and GIF (its first picture) up to 20 MB and 40 million pixels, as
 * bytes or as a path, told by content. Avatars and covers differ only in where a tall picture is
 * cropped: faces sit above the middle. Throws `unsupported_image`, `image_too_large`,
 * `media_timeout` or `media_tool_failed`.
 */
export async function processImage(
  input: Uint8Array | string,
  { kind }: { kind: PictureKind },
): Promise<ProcessedImage> {
  return imageOf(await askChild({ task: 'encode', input, kind }))
}

/** The same for an SVG that we drew ourselves, never for a stranger's. */
export async function processDrawing(svg: string): Promise<ProcessedImage> {
  return imageOf(await askChild({ task: 'draw', svg }))
}

function imageOf(answer: PictureAnswer): ProcessedImage {
  if ('image' in answer) return answer.image
  throw new MediaError(answer.code, answer.message)
}

async function runChild(task: PictureTask): Promise<PictureAnswer> {
  const path = fileURLToPath(new URL('./picture-child.ts', import.meta.url))
  const child = fork(path, [], {
    env: {},
    execArgv: ['--max-old-space-size=128'],
    serialization: 'advanced',
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  const { promise, resolve, reject } = Promise.withResolvers<PictureAnswer>()
  const timer = setTimeout(() => {
    reject(new MediaError('media_timeout', 'The work on this picture took too long.'))
  }, timeoutMs)
  child.once('message', (answer) => resolve(answer as PictureAnswer))
  child.once('error', reject).once('exit', () => {
    reject(new MediaError('media_tool_failed', 'The picture process ended without an answer.'))
  })
  try {
    child.send(task)
    return await promise
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
