// Has the landing page drawn by a process that ends with it.
import { askChild } from '../media/ask-child.ts'
import type { DrawnPage, LandingOrder } from './draw-landing.ts'

/** Throws when drawing fails; what went wrong stands on the server's error output. */
export function drawInChild(order: LandingOrder): Promise<DrawnPage[]> {
  return askChild({
    module: new URL('./draw-landing.ts', import.meta.url),
    order,
    timeoutMs: 20_000,
    failure: (reason) =>
      new Error(reason === 'timeout' ? 'Drawing took too long' : 'Drawing ended in between'),
  })
}
