// Allows one sender at a time for each whole file and each part. The lock is in memory, so a crash leaves nothing
// locked. It only avoids work: each sender writes a separate file, and the row or the storage accepts one of them.
import { AppError } from '../../platform/operations/app-error.ts'

/** A sender without bytes for this long may be gone; the next sender takes over. */
const silentMs = 10_000
/** Maximum wait for a sender that is about to end. */
const patienceMs = 500

interface Sender {
  lastByteMs: number
  cut: () => void
  ended: Promise<void>
}

/** The exclusive right to send. */
export interface SendingTurn {
  /** Call it whenever bytes arrive. */
  noteBytes: () => void
  end: () => void
}

export interface UploadSenders {
  /**
   * `id` is that of the upload, or `ID/3` for a part. `cut` disconnects this sender when it was silent for too long and
   * another one takes over. Throws `upload_locked` while another one is sending.
   */
  take: (id: string, cut: () => void) => Promise<SendingTurn>
  /** Disconnects a silent sender. Throws `upload_locked` while another one is sending. */
  waitUntilFree: (id: string) => Promise<void>
  /** Disconnects all senders of this upload and its parts. */
  cutAll: (uploadId: string) => void
}

export function createUploadSenders(): UploadSenders {
  const sending = new Map<string, Sender>()

  async function waitUntilFree(id: string): Promise<void> {
    for (let other = sending.get(id); other; other = sending.get(id)) {
      if (performance.now() - other.lastByteMs > silentMs) other.cut()
      if (!(await isOver(other.ended, patienceMs))) {
        throw new AppError('upload_locked', { headers: { 'retry-after': String(silentMs / 1000) } })
      }
    }
  }

  return {
    waitUntilFree,
    async take(id, cut) {
      // Checked again, because another sender may have taken the turn just now.
      while (sending.has(id)) await waitUntilFree(id)
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      const sender: Sender = { lastByteMs: performance.now(), cut, ended }
      sending.set(id, sender)
      return {
        noteBytes: () => {
          sender.lastByteMs = performance.now()
        },
        end: () => {
          sending.delete(id)
          resolve()
        },
      }
    },
    cutAll(uploadId) {
      for (const [id, { cut }] of sending) {
        if (id === uploadId || id.startsWith(`${uploadId}/`)) cut()
      }
    },
  }
}

async function isOver(ended: Promise<void>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  const over = await Promise.race([ended.then(() => true), late])
  clearTimeout(timer)
  return over
}
