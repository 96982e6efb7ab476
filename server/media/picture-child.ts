// A child process of its own, which lasts as long as its server lets it: after one picture of a stranger it is ended. The
// server neither runs native decoders on a stranger's bytes nor keeps the memory that they needed.
import sharp from 'sharp'
import {
  encodeDrawing,
  encodePicture,
  type PictureKind,
  type ProcessedImage,
} from './encode-picture.ts'
import { MediaError, type MediaErrorCode } from './media-error.ts'

/** What the server asks for, as the one message it sends. */
export type PictureTask =
  | { task: 'encode'; input: Uint8Array | string; kind: PictureKind }
  | { task: 'draw'; svg: string }

/** The one answer. */
export type PictureAnswer = { image: ProcessedImage } | { code: MediaErrorCode; message: string }

sharp.cache(false)
sharp.concurrency(1)

process.on('message', (task: PictureTask) => {
  // A failure that is not the picture's ends the process with it, which the server takes as such.
  void answer(task).then((reply) => process.send?.(reply))
})

async function answer(task: PictureTask): Promise<PictureAnswer> {
  try {
    if (task.task === 'draw') return { image: await encodeDrawing(task.svg) }
    return { image: await encodePicture(task.input, task.kind) }
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    return { code: error.code, message: error.message }
  }
}
