// Generates recordings for which encoding takes as long as for music: chords with changing volume, and noise. Each seed
// gives another recording.
import { writeFile } from 'node:fs/promises'

const sampleRate = 44_100
const channels = 2
const heartbeatSeconds = 0.5

/** Writes a 16-bit stereo WAV. */
export async function makeRecording(path: string, seconds: number, seed: number): Promise<void> {
  const frames = seconds * sampleRate
  const wav = Buffer.alloc(44 + frames * channels * 2)
  writeHead(wav)
  const samples = new Int16Array(wav.buffer, wav.byteOffset + 44, frames * channels)
  const notes = [0, 4, 7, 12].map((step) => 110 * 2 ** ((step + (seed % 12)) / 12))
  let noise = seed * 2_654_435_761
  for (let i = 0; i < frames; i++) {
    const time = i / sampleRate
    const swell = 1 - (time % heartbeatSeconds) / heartbeatSeconds
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0
    let value = (noise / 2 ** 31) * 0.15 * swell ** 6
    for (const note of notes) {
      const phase = time * note
      value += 0.1 * (phase % 1 < 0.5 ? swell : -swell) + 0.1 * Math.sin(phase * 4 * Math.PI)
    }
    samples[i * 2] = value * 14_000
    samples[i * 2 + 1] = (value * 0.8 + (noise / 2 ** 31) * 0.02) * 14_000
  }
  await writeFile(path, wav)
}

/** Writes the RIFF header. The samples have the byte order of the machine, little-endian on all that are supported. */
function writeHead(wav: Buffer): void {
  wav.write('RIFF', 0)
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(channels, 22)
  wav.writeUInt32LE(sampleRate, 24)
  wav.writeUInt32LE(sampleRate * channels * 2, 28)
  wav.writeUInt16LE(channels * 2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(wav.length - 44, 40)
}
