// A sound device that makes no sound but can be recorded: PulseAudio with a null sink.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../harness/service.ts'

const sampleRate = 44_100

export interface SoundDevice {
  /** Address of this sound server, for PULSE_SERVER. */
  server: string
  /** Starts recording what is played. */
  record: () => Promise<{ stop: () => Promise<Recording> }>
  close: () => Promise<void>
}

export interface Recording {
  seconds: number
  /** The loudest sample as a fraction of full scale, 0 to 1. */
  peak: number
  /** The longest silence between the first and the last sound. */
  longestSilenceMs: number
}

export async function openSoundDevice(): Promise<SoundDevice> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-sound-'))
  const socket = join(folder, 'socket')
  const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder }
  const program = spawn(
    'pulseaudio',
    [
      '-n',
      '--daemonize=no',
      '--use-pid-file=no',
      '--exit-idle-time=-1',
      // Without `norewinds`, the sink buffers two seconds, which disturbs the media clock of Firefox.
      '--load',
      `module-null-sink sink_name=velour norewinds=1 rate=${sampleRate}`,
      '--load',
      `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
    ],
    { env, stdio: 'ignore' },
  )
  const ended = once(program, 'exit')
  await waitUntil(() => existsSync(socket), 20_000, 'the sound device')
  const server = `unix:${socket}`
  return {
    server,
    record: () => startRecording({ ...env, PULSE_SERVER: server }),
    async close() {
      program.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startRecording(env: NodeJS.ProcessEnv) {
  const recorder = spawn(
    'parec',
    ['--device=velour.monitor', '--format=s16le', '--channels=1', `--rate=${sampleRate}`],
    { env, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const chunks: Buffer[] = []
  recorder.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  await waitUntil(() => chunks.length > 0, 20_000, 'the first recorded bytes')
  return {
    async stop() {
      const ended = once(recorder, 'close')
      recorder.kill()
      await ended
      return measure(Buffer.concat(chunks))
    },
  }
}

/** Measures a recording of 16-bit little-endian samples. */
function measure(bytes: Buffer): Recording {
  const count = Math.floor(bytes.length / 2)
  let peak = 0
  for (let i = 0; i < count; i++) peak = Math.max(peak, Math.abs(bytes.readInt16LE(2 * i)))
  let longest = 0
  let lastLoud: number | null = null
  for (let i = 0; i < count; i++) {
    if (Math.abs(bytes.readInt16LE(2 * i)) < Math.max(peak * 0.02, 8)) continue
    if (lastLoud !== null) longest = Math.max(longest, i - lastLoud)
    lastLoud = i
  }
  return {
    seconds: count / sampleRate,
    peak: peak / 32_768,
    longestSilenceMs: Math.round((longest / sampleRate) * 1000),
  }
}
