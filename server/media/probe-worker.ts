// The thread in which strangers' files are parsed, one after the other. It has a small heap of its own and is ended
// from outside when one takes too long, so a hostile header costs one job and nothing more.
import { parentPort } from 'node:worker_threads'
import { readAudioHeader, sniffAudio, type AudioHeader } from './audio-header.ts'

/** What the thread answers to a path. */
export type ProbeAnswer =
  | { header: AudioHeader }
  | { problem: 'unknown_format' | 'no_audio' }
  | { problem: 'unreadable'; reason: string }

parentPort?.on('message', (path: string) => void probe(path).then(answer))

const answer = (found: ProbeAnswer) => parentPort?.postMessage(found)

async function probe(path: string): Promise<ProbeAnswer> {
  const format = await sniffAudio(path)
  if (!format) return { problem: 'unknown_format' }
  try {
    const header = await readAudioHeader(path, format)
    return header ? { header } : { problem: 'no_audio' }
  } catch (error) {
    return { problem: 'unreadable', reason: String(error) }
  }
}
