// Thread that parses untrusted files, one after the other. It has a small heap and is terminated when a file takes
// too long, so that a malicious header only fails its own job.
import { parentPort } from 'node:worker_threads'
import { readAudioHeader, detectAudioFormat, type AudioHeader } from './audio-header.ts'

/** The thread's response to the path of a file. */
export type ProbeResponse =
  | { header: AudioHeader }
  | { problem: 'unknown_format' | 'no_audio' }
  | { problem: 'unreadable'; reason: string }

parentPort?.on('message', (path: string) => void probe(path).then(respond))

const respond = (found: ProbeResponse) => parentPort?.postMessage(found)

async function probe(path: string): Promise<ProbeResponse> {
  const format = await detectAudioFormat(path)
  if (!format) return { problem: 'unknown_format' }
  try {
    const header = await readAudioHeader(path, format)
    return header ? { header } : { problem: 'no_audio' }
  } catch (error) {
    return { problem: 'unreadable', reason: String(error) }
  }
}
