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
  heard: () => void
  end: () => void
}

export class UploadSenders {
  readonly #sending = new Map<string, Sender>()

  /**
   * `id` is that of the upload, or `ID/3` for a part. `cut` disconnects this sender when it was silent for too long and
   * another one takes over. Throws `upload_locked` while another one is sending.
   */
  async take(id: string, cut: () => void): Promise<SendingTurn> {
    // Checked again, because another sender may have taken the turn just now.
    while (this.#sending.has(id)) await this.waitUntilFree(id)
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const sender: Sender = { lastByteMs: performance.now(), cut, ended }
    this.#sending.set(id, sender)
    return {
      heard: () => {
        sender.lastByteMs = performance.now()
      },
      end: () => {
        this.#sending.delete(id)
        resolve()
      },
    }
  }

  /** Disconnects a silent sender. Throws `upload_locked` while another one is sending. */
  async waitUntilFree(id: string): Promise<void> {
    for (let other = this.#sending.get(id); other; other = this.#sending.get(id)) {
      if (performance.now() - other.lastByteMs > silentMs) other.cut()
      if (!(await isOver(other.ended, patienceMs))) {
        throw new AppError('upload_locked', { headers: { 'retry-after': String(silentMs / 1000) } })
      }
    }
  }

  /** Disconnects all senders of this upload and its parts. */
  cutAll(uploadId: string): void {
    for (const [id, { cut }] of this.#sending) {
      if (id === uploadId || id.startsWith(`${uploadId}/`)) cut()
    }
  }
}

async function isOver(ended: Promise<void>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  const over = await Promise.race([ended.then(() => true), late])
  clearTimeout(timer)
  return over
}
