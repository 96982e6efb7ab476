// Child process for pictures. After one untrusted picture the server ends it. So the server itself neither runs
// native decoders on untrusted bytes nor keeps their memory.
import sharp from 'sharp'
import { checkPicture } from './check-picture.ts'
import { drawCard, type Card, type CardOrder } from './draw-card.ts'
import { encodeEmblem, type EncodedEmblem } from './encode-emblem.ts'
import type { EmblemKind } from './emblem-names.ts'
import {
  encodeDrawing,
  encodeJpeg,
  encodePicture,
  type PictureKind,
  type ProcessedImage,
} from './encode-picture.ts'
import { MediaError, type MediaErrorCode } from '../ffmpeg/media-error.ts'

/** The message that the server sends. */
export type PictureTask =
  | { task: 'encode'; input: Uint8Array | string; kind: PictureKind }
  | { task: 'emblem'; input: Uint8Array | string; kind: EmblemKind }
  | { task: 'draw'; svg: string }
  | { task: 'card'; order: CardOrder }
  | { task: 'jpeg'; stored: Uint8Array }
  | { task: 'check'; path: string }

/** The response to that message. */
export type PictureResponse =
  | { image: ProcessedImage }
  | { emblem: EncodedEmblem }
  | { card: Card }
  | { jpeg: Uint8Array }
  | { isPicture: true }
  | { code: MediaErrorCode; message: string }

sharp.cache(false)
sharp.concurrency(1)

process.on('message', (task: PictureTask) => {
  // An error that the picture did not cause ends this process. The server then reports a failure of the tool.
  void respond(task).then((reply) => process.send?.(reply))
})

async function respond(task: PictureTask): Promise<PictureResponse> {
  try {
    if (task.task === 'card') return { card: await drawCard(task.order) }
    if (task.task === 'check') {
      await checkPicture(task.path)
      return { isPicture: true }
    }
    if (task.task === 'jpeg') return { jpeg: await encodeJpeg(task.stored) }
    if (task.task === 'emblem') return { emblem: await encodeEmblem(task.input, task.kind) }
    if (task.task === 'draw') return { image: await encodeDrawing(task.svg) }
    return { image: await encodePicture(task.input, task.kind) }
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    return { code: error.code, message: error.message }
  }
}
