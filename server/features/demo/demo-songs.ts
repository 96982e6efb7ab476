// Reads the demo's catalogue and renders its songs with the composer, a separate program that runs in a child process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { aiDisclosures } from '#contract/fields/ai-disclosure.ts'

const composer = join(import.meta.dirname, '../../../composer')

const catalogue = z.object({
  categories: z.array(
    z.object({
      category: z.string(),
      display_name: z.string(),
      description: z.string(),
      sort_order: z.number(),
    }),
  ),
  genres: z.array(z.string()),
  tracks: z.array(
    z.object({
      slug: z.string(),
      title: z.string(),
      artist: z.string(),
      category: z.string(),
      genre: z.string(),
      description: z.string(),
      tags: z.array(z.string()),
      ai_disclosure: z.enum(aiDisclosures),
      ai_tool: z.string(),
      credits: z.string(),
      /** Lyrics in LRC format. */
      lyrics: z.nullable(z.string()),
    }),
  ),
  playlists: z.array(
    z.object({ title: z.string(), description: z.string(), tracks: z.array(z.string()) }),
  ),
})
export type DemoCatalogue = z.infer<typeof catalogue>
export type DemoSong = DemoCatalogue['tracks'][number]

export function readDemoCatalogue(): DemoCatalogue {
  return catalogue.parse(JSON.parse(readFileSync(join(composer, 'catalogue.json'), 'utf8')))
}

/**
 * Renders the song as a WAV file at `path`, in a child process with low priority, because it keeps one CPU core busy
 * for several seconds.
 */
export async function renderDemoSong(
  { slug }: DemoSong,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [join(composer, 'main.ts'), slug, path], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let errors = ''
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The composer exited with ${code}: ${errors.slice(-2000)}`)
}
