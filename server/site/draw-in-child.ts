// Starts the process that draws, waits for what it drew, and ends it.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { DrawnPage, LandingOrder } from './draw-landing.ts'

const timeoutMs = 20_000

/** Throws when drawing fails; what went wrong stands on the server's error output. */
export async function drawInChild(order: LandingOrder): Promise<DrawnPage[]> {
  const path = fileURLToPath(new URL('./draw-landing.ts', import.meta.url))
  const child = fork(path, [], {
    env: {},
    execArgv: ['--max-old-space-size=128', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  })
  const { promise, resolve, reject } = Promise.withResolvers<DrawnPage[]>()
  const timer = setTimeout(() => reject(new Error('Drawing took too long')), timeoutMs)
  child.once('message', (drawn) => resolve(drawn as DrawnPage[]))
  child.once('error', reject).once('exit', () => reject(new Error('Drawing ended in between')))
  try {
    child.send(order)
    return await promise
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
