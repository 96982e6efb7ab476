// Creates short test recordings of two soft tones. Recordings with different pitches can be told apart.

const sampleRate = 22_050

/** Returns a 16-bit mono WAV of `seconds` at `frequency` Hz. `level` is its peak, 0 to 1. */
export function makeWav(seconds: number, frequency: number, level = 0.3): Buffer {
  const samples = Math.round(seconds * sampleRate)
  const wav = Buffer.alloc(44 + samples * 2)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + samples * 2, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(sampleRate, 24)
  wav.writeUInt32LE(sampleRate * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(samples * 2, 40)
  for (let i = 0; i < samples; i++) {
    const t = i / sampleRate
    const swell = 0.6 + 0.4 * Math.sin(2 * Math.PI * 0.5 * t)
    const value = level * swell * Math.sin(2 * Math.PI * frequency * t)
    wav.writeInt16LE(Math.round(value * 32_767), 44 + i * 2)
  }
  return wav
}
