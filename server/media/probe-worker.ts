// The thread in which a stranger's file is parsed. It has a small heap of its own and is ended
// from outside when it takes too long, so a hostile header costs one job and nothing more.
import { parentPort, workerData } from 'node:worker_threads'
import { readAudioHeader, sniffAudio, type AudioHeader } from './audio-header.ts'

/** What the thread answers with. */
export type ProbeAnswer =
  | { header: AudioHeader }
  | { problem: 'unknown_format' | 'no_audio' }
  | { problem: 'unreadable'; reason: string }

parentPort?.postMessage(await probe(workerData as string))

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
