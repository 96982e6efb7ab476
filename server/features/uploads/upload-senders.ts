// One sender at a time for each file that comes whole, and for each part. The lock is in memory, so a crash leaves
// nothing locked. It saves work and never decides what is stored: each sender writes a file of its own, and the row or
// the storage takes one of them.
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
   * `id` is that of the upload, or that and the number of a part: `ID/3`. `cut` disconnects this sender when another one
   * takes over, because this one was silent for too long. Throws `upload_locked` while another one is sending.
   */
  async take(id: string, cut: () => void): Promise<SendingTurn> {
    // Checked again: another one may have taken the turn just now.
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

  /** Disconnects whoever sends this upload or a part of it. */
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
