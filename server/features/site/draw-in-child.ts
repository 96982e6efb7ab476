// Renders the landing page in a child process that exits afterwards.
import { runInChild } from '../../platform/process/run-in-child.ts'
import type { DrawnPage, LandingOrder } from './draw-landing.ts'

/** Throws if rendering fails. The child process writes the cause to the server's stderr. */
export function drawInChild(order: LandingOrder): Promise<DrawnPage[]> {
  return runInChild({
    module: new URL('./draw-landing.ts', import.meta.url),
    order,
    timeoutMs: 20_000,
    failure: (reason) =>
      new Error(reason === 'timeout' ? 'Rendering timed out' : 'Rendering ended without a result'),
  })
}
