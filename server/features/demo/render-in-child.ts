// Composing uses a core for several seconds, so it runs in a low-priority child process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { DemoTrack } from './demo-tracks.ts'

const child = fileURLToPath(new URL('./render-child.ts', import.meta.url))

/** Writes the track's recording as a WAV file to `path`. */
export async function renderInChild(
  track: DemoTrack,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const renderer = spawn(process.execPath, [child, track.slug, path], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  if (renderer.pid) setPriority(renderer.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let complaint = ''
  renderer.stderr.on('data', (text: Buffer) => (complaint += text.toString()))
  const [code] = (await once(renderer, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The composer stopped with ${code}: ${complaint.slice(-2000)}`)
}
