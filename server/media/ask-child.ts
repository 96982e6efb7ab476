// One question to a process that is started for it and ends with its answer: what costs memory, or reads a stranger's
// file, leaves nothing behind in the server.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { lowerPriority } from './lower-priority.ts'

export interface ChildQuestion {
  /** The module that answers with one message; it gets no environment. */
  module: URL
  order: object
  timeoutMs: number
  /** Behind everything that answers people. */
  isBackground?: boolean
  /** What is thrown after `timeoutMs`, and when the process ends without an answer. */
  failure: (reason: 'timeout' | 'ended') => Error
}

/** The caller knows the shape of its module's answer. */
export async function askChild<Answer>(question: ChildQuestion): Promise<Answer> {
  const { module, order, timeoutMs, isBackground = false, failure } = question
  const child = fork(fileURLToPath(module), [], {
    env: {},
    execArgv: ['--max-old-space-size=128', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  })
  if (isBackground && child.pid !== undefined) lowerPriority(child.pid)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => reject(failure('timeout')), timeoutMs)
  child.once('message', (answer) => resolve(answer as Answer))
  child.once('error', reject).once('exit', () => reject(failure('ended')))
  try {
    child.send(order)
    return await promise
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
