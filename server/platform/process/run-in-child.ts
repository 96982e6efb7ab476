// Sends one request to a child process, so that work which needs much memory or reads an untrusted file leaves
// nothing behind in the server. The process is started for the request and ends after its response, unless it is
// pooled.
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'
import { lowerPriority } from './lower-priority.ts'

export interface ChildModule {
  /**
   * The module of the child process. It must answer each message with one message, and gets no environment variables.
   */
  module: URL
  /** Whether the process has a lower priority than processes that serve requests. */
  isBackground?: boolean
}

export interface ChildRequest {
  order: object
  timeoutMs: number
  /** Creates the error to throw after `timeoutMs`, or when the process ends without a response. */
  failure: (reason: 'timeout' | 'ended') => Error
}

/** Runs one request in a new child process. The caller must state the type of the response. */
export async function runInChild<Reply>(question: ChildModule & ChildRequest): Promise<Reply> {
  const child = startChild(question)
  try {
    return await sendRequest<Reply>(child, question)
  } finally {
    child.kill('SIGKILL')
  }
}

/**
 * Creates a pool of reusable processes. Not for untrusted input, which could compromise the process and thus later
 * requests.
 */
export function createChildPool(of: ChildModule): WorkerPool<ChildProcess> {
  return createWorkerPool({
    start: () => startChild(of),
    end: (child) => child.kill('SIGKILL'),
    hold(child, isHeld) {
      const way = isHeld ? 'ref' : 'unref'
      child[way]()
      child.channel?.[way]()
    },
  })
}

/** Runs one request in a process of the pool. */
export async function runInPooledChild<Reply>(
  children: WorkerPool<ChildProcess>,
  question: ChildRequest,
): Promise<Reply> {
  const child = children.acquire()
  try {
    const response = await sendRequest<Reply>(child, question)
    children.release(child)
    return response
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

function startChild({ module, isBackground = false }: ChildModule): ChildProcess {
  const child = fork(fileURLToPath(module), [], {
    env: {},
    execArgv: ['--max-old-space-size=128', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  })
  if (isBackground && child.pid !== undefined) lowerPriority(child.pid)
  return child
}

async function sendRequest<Reply>(child: ChildProcess, question: ChildRequest): Promise<Reply> {
  const { order, timeoutMs, failure } = question
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const timer = setTimeout(() => reject(failure('timeout')), timeoutMs)
  const take = (response: unknown) => resolve(response as Reply)
  const end = () => reject(failure('ended'))
  child.once('message', take).once('error', reject).once('exit', end)
  try {
    child.send(order)
    const response = await promise
    child.off('error', reject).off('exit', end)
    return response
  } finally {
    clearTimeout(timer)
  }
}
