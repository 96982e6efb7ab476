// Receives the stream of live events like a browser.
import type { LiveEvent } from '#contract/events.ts'

/**
 * `events` collects the received events until `stop` is called. `ended` resolves with the reason when the stream
 * ends.
 */
export async function recordEvents(
  url: string,
  cookie: string,
  headers: Record<string, string> = {},
) {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/events`, {
    headers: { cookie, ...headers },
    signal: abort.signal,
  })
  const events: LiveEvent[] = []
  const read = async () => {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8')
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block.startsWith('data: ')) events.push(JSON.parse(block.slice(6)) as LiveEvent)
      }
    }
  }
  const ended = read().then(
    () => 'ended' as const,
    () => 'cut' as const,
  )
  return { response, events, ended, stop: () => abort.abort() }
}
