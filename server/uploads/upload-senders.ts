// One sender at a time for each upload, whole or in parts. Kept in memory, which ends with its process: a kill leaves
// nothing locked. That is enough, because a folder of parts belongs to one process; with an object store each instance
// takes a whole file into a folder of its own, and the row decides which one it is.
import { AppError } from '../http/app-error.ts'

/** Whoever sends nothing for so long may be gone; the next sender takes over. */
const silentMs = 10_000
/** What only takes a moment, a question or the end of a part, is waited for. */
const patienceMs = 500

interface Sender {
  lastByteMs: number
  cut: () => void
  ended: Promise<void>
}

/** The right to send. */
export interface SendingTurn {
  /** Call it when bytes have come. */
  heard: () => void
  end: () => void
}

export class UploadSenders {
  readonly #sending = new Map<string, Sender>()

  /**
   * `cut` ends this sender when it has been silent for too long and another one comes, or one that insists. Throws
   * `upload_locked` while another one sends.
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
