// Turns any picture a person sends into the few small files that are shown, in a child process and
// two at a time at most, so that pictures cost the server neither memory nor its life.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PictureKind, ProcessedImage } from './encode-picture.ts'
import { lowerPriority } from './lower-priority.ts'
import { MediaError } from './media-error.ts'
import type { PictureAnswer, PictureTask } from './picture-child.ts'

export type { PictureKind, ProcessedImage } from './encode-picture.ts'

const timeoutMs = 60_000
const maxChildren = 2

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
  const answer = await askChild({ task: 'encode', input, kind })
  if ('image' in answer) return answer.image
  throw failure(answer)
}

/** PNG bytes of an SVG that we drew ourselves, `side` pixels square. */
export async function rasteriseSvg(svg: string, side: number): Promise<Uint8Array> {
  const answer = await askChild({ task: 'rasterise', svg, side })
  if ('png' in answer) return answer.png
  throw failure(answer)
}

function failure(answer: PictureAnswer): MediaError {
  if ('code' in answer) return new MediaError(answer.code, answer.message)
  return new MediaError('media_tool_failed', 'The picture process gave another answer than asked.')
}

let running = 0
const waiting: (() => void)[] = []

async function askChild(task: PictureTask): Promise<PictureAnswer> {
  if (running >= maxChildren) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await runChild(task)
  } finally {
    // The place is handed on rather than freed, so nobody can slip in between.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
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
