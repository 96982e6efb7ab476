// Lets what this device keeps stand in for an answer that does not come. Invariant: an answer that is on
// screen already is never replaced by a kept one, which knows less.
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError } from '../app/api.ts'

/** A line that is silent for longer is as good as none, where there is something to stand in. */
const patienceMs = 5000

interface QueryContext {
  client: QueryClient
  queryKey: QueryKey
  signal: AbortSignal
}

/** A query function that asks the server, and without an answer this device. */
export function orKept<Answer>(
  ask: (context: QueryContext) => Promise<Answer>,
  readKept: () => Promise<Answer | undefined>,
): (context: QueryContext) => Promise<Answer> {
  return (context) =>
    context.client.getQueryData(context.queryKey) === undefined
      ? keptWhenSilent(() => ask(context), readKept)
      : ask(context)
}

export async function keptWhenSilent<Answer>(
  ask: () => Promise<Answer>,
  readKept: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const asking = ask()
  // What comes after the patience has ended is nobody's concern.
  asking.catch(() => {})
  const tooLate = new Promise<'too late'>((resolve) => setTimeout(resolve, patienceMs, 'too late'))
  try {
    const first = await Promise.race([asking, tooLate])
    if (first !== 'too late') return first
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'network')) throw error
  }
  return (await readKept()) ?? asking
}
