// One sender at a time for each upload, whole or in parts. The lock is in memory, so a crash leaves nothing locked.
// That is enough: a folder of partial files belongs to one process. With an object store each instance receives a whole
// file into its own folder, and the row decides which one is stored.
import { AppError } from '../../platform/operations/app-error.ts'

/** A sender without bytes for this long may be gone; the next sender takes over. */
const silentMs = 10_000
/** Maximum wait for short operations: a HEAD request or the end of a part. */
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
   * `cut` disconnects this sender when another one takes over, because this one was silent for too long or the other
   * one insists. Throws `upload_locked` while another one is sending.
   */
  async take(id: string, cut: () => void, { insists = false } = {}): Promise<SendingTurn> {
    for (let other = this.#sending.get(id); other; other = this.#sending.get(id)) {
      if (insists || performance.now() - other.lastByteMs > silentMs) other.cut()
      if (!(await isOver(other.ended, patienceMs))) {
        throw new AppError('upload_locked', { headers: { 'retry-after': String(silentMs / 1000) } })
      }
    }
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
}

async function isOver(ended: Promise<void>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  const over = await Promise.race([ended.then(() => true), late])
  clearTimeout(timer)
  return over
}
