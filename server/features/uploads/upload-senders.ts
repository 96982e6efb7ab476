// Allows one sender at a time for each whole file and each part. The lock is in this instance's memory and is lost in a
// crash. It only avoids wasted work: each sender writes a separate file, and the row or the storage accepts only one of
// them.
import { AppError } from '../../platform/operations/app-error.ts'

/** A sender that sends no bytes for this long has stalled, and the next sender may take over. */
const stalledAfterMs = 10_000
/** How long a new sender waits for one that is about to finish. */
const maxWaitMs = 500

interface Sender {
  lastByteMs: number
  cut: () => void
  ended: Promise<void>
}

/** The exclusive right to send one file or part. */
export interface SendingTurn {
  /** Call this whenever bytes arrive, so that the sender does not count as stalled. */
  noteBytes: () => void
  end: () => void
}

export interface UploadSenders {
  /**
   * Starts sending. `id` is the upload's id, or `ID/3` for a part. `cut` is called to disconnect this sender if it
   * stalls and another one takes over. Throws `upload_locked` while another sender is active.
   */
  take: (id: string, cut: () => void) => Promise<SendingTurn>
  /** Disconnects a stalled sender, if there is one. Throws `upload_locked` while a sender is active. */
  waitUntilFree: (id: string) => Promise<void>
  /** Disconnects all senders of an upload and of its parts. */
  cutAll: (uploadId: string) => void
}

export function createUploadSenders(): UploadSenders {
  const sending = new Map<string, Sender>()

  async function waitUntilFree(id: string): Promise<void> {
    for (let other = sending.get(id); other; other = sending.get(id)) {
      if (performance.now() - other.lastByteMs > stalledAfterMs) other.cut()
      if (!(await isOver(other.ended, maxWaitMs))) {
        throw new AppError('upload_locked', {
          headers: { 'retry-after': String(stalledAfterMs / 1000) },
        })
      }
    }
  }

  return {
    waitUntilFree,
    async take(id, cut) {
      // Check in a loop, because another sender may have started during the wait.
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
