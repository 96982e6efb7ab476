// Clients that only read: members who browse (lists, search, categories, recent plays), and members with an open event
// stream.
import { searchMaxLength } from '#contract/tracks.ts'
import type { WriterWorld, Member, Writer } from './writer.ts'

const searchTexts = ['track', 'deliv', 'shelf', '7', 'nothing like it', 'x'.repeat(searchMaxLength)]

/** There is nothing to audit, because this writer changes nothing. */
export function createBrowser(world: WriterWorld, member: Member): Writer {
  const { chance } = world
  const paths = () => [
    '/api/tracks',
    `/api/tracks?q=${encodeURIComponent(chance.pick(searchTexts))}`,
    `/api/tracks?category=shelf-${Math.floor(chance.below(5))}`,
    '/api/tracks?liked=true',
    `/api/tracks/${chance.pick(world.trackIds)}`,
    '/api/categories',
    '/api/playlists',
    '/api/plays/recent',
    '/api/profile',
    '/api/showcase',
  ]
  return {
    name: 'looks',
    everyMs: 700,
    async act() {
      await member.client.send('GET', chance.pick(paths()))
    },
    audit: async () => [],
    acknowledged: () => 0,
  }
}

export interface OpenWindow {
  /** Returns the number of events so far. */
  eventCount: () => number
  /** Returns why the stream ended, or null while it is open. */
  end: () => string | null
  close: () => void
}

/** Opens an event stream, as every open window of the app does. */
export async function openWindow({ client }: Pick<Member, 'client'>): Promise<OpenWindow> {
  const closing = new AbortController()
  const response = await client.fetch('/api/events', { signal: closing.signal })
  if (!response.ok) throw new Error(`The stream of events returned ${response.status}`)
  let eventCount = 0
  let end: string | null = null
  const read = async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      eventCount += chunk.split('data:').length - 1
    }
    end = 'the server ended it'
  }
  read().catch((error: Error) => {
    if (!closing.signal.aborted) end = error.message
  })
  return { eventCount: () => eventCount, end: () => end, close: () => closing.abort() }
}
