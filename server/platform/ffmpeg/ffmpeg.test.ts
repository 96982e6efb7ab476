import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allFfmpegs, createTestFolder, createSine, writeWav } from '../../testing/audio-fixtures.ts'
import { createFfmpeg } from './ffmpeg.ts'

const folder = await createTestFolder()
const endless = ['-f', 'lavfi', '-i', 'anullsrc=r=44100', '-f', 'null', '-']
const nothing = { inputs: [], outputs: [], timeoutMs: 30_000 }

async function writeScript(name: string, body: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${body}\n`)
  await chmod(path, 0o755)
  return path
}

describe('selecting the build', () => {
  test('refuses a configured path that cannot be used, with the reason', async () => {
    const old = await writeScript('old', 'echo "ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright"')
    const bare = await writeScript('bare', 'echo "ffmpeg version 7.1 Copyright"')
    const other = await writeScript('other', 'echo hello')
    await expect(createFfmpeg({ ffmpegPath: old })).rejects.toThrow('is older than 5.1')
    await expect(createFfmpeg({ ffmpegPath: bare })).rejects.toThrow('has no AAC encoder')
    await expect(createFfmpeg({ ffmpegPath: other })).rejects.toThrow('is not ffmpeg')
    await expect(createFfmpeg({ ffmpegPath: join(folder, 'none') })).rejects.toMatchObject({
      code: 'media_tool_failed',
    })
  })

  test('uses a configured path that works', async () => {
    const encoders = 'echo " A....D aac                  AAC (Advanced Audio Coding)"'
    const good = await writeScript('good', `echo "ffmpeg version n8.0-5 Copyright"; ${encoders}`)
    expect(await createFfmpeg({ ffmpegPath: good })).toMatchObject({
      backend: 'native',
      version: '8.0',
    })
  })
})

test('leaves no process running after a command is killed', async () => {
  const pidFile = join(folder, 'pid')
  const stuck = await writeScript(
    'stuck',
    `case "$*" in
      -version) echo "ffmpeg version 8.0 Copyright";;
      *-encoders) echo " A....D aac ";;
      *) echo $$ > ${pidFile}; trap '' TERM INT; while :; do :; done;;
    esac`,
  )
  const ffmpeg = await createFfmpeg({ ffmpegPath: stuck })
  const run = ffmpeg.run([], { ...nothing, timeoutMs: 500 })
  await expect(run).rejects.toMatchObject({ code: 'media_timeout' })
  const pid = Number(await readFile(pidFile, 'utf8'))
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('does not report an interrupted ffmpeg as a damaged file', async () => {
  const interrupted = await writeScript(
    'interrupted',
    `case "$*" in
      -version) echo "ffmpeg version 8.0 Copyright";;
      *-encoders) echo " A....D aac ";;
      *) echo "[info] Exiting normally, received signal 2." >&2; exit 255;;
    esac`,
  )
  const ffmpeg = await createFfmpeg({ ffmpegPath: interrupted })
  await expect(ffmpeg.run([], nothing)).rejects.toMatchObject({ code: 'media_tool_failed' })
})

describe.each(await allFfmpegs())('$backend ffmpeg', (ffmpeg) => {
  test('kills a command that takes too long', async () => {
    const run = ffmpeg.run(endless, { ...nothing, timeoutMs: 700 })
    await expect(run).rejects.toMatchObject({ code: 'media_timeout' })
  })

  test('kills a command when the caller aborts, and throws the caller’s reason', async () => {
    const caller = new AbortController()
    const run = ffmpeg.run(endless, {
      ...nothing,
      signal: caller.signal,
      durationSeconds: 1e9,
      onProgress: () => caller.abort(new Error('shutting down')),
    })
    await expect(run).rejects.toThrow('shutting down')
  })

  test('measure returns the sound, also after another caller aborted during its command', async () => {
    const input = await writeWav(join(folder, 'measured.wav'), createSine(440), { seconds: 1 })
    const measured = ['-i', input, '-ac', '2', '-ar', '44100', '-f', 's16le', 'pipe:1']
    const endlessSound = [...endless.slice(0, -3), '-ac', '2', '-f', 's16le', 'pipe:1']
    const sound = { ...nothing, sampleRate: 44_100 }
    const caller = new AbortController()
    const broken = ffmpeg.measure(endlessSound, {
      ...sound,
      signal: caller.signal,
      durationSeconds: 1e9,
      onProgress: () => caller.abort(new Error('shutting down')),
    })
    await expect(broken).rejects.toThrow('shutting down')
    const late = ffmpeg.measure(endlessSound, { ...sound, timeoutMs: 700 })
    await expect(late).rejects.toMatchObject({ code: 'media_timeout' })
    const run = { ...sound, inputs: [input] }
    const twice = [await ffmpeg.measure(measured, run), await ffmpeg.measure(measured, run)]
    expect(twice.map(({ frames, peaks }) => [frames, peaks.length])).toEqual([
      [44_100, 800],
      [44_100, 800],
    ])
  })

  test('starts nothing when the signal is already aborted', async () => {
    const run = ffmpeg.run(endless, { ...nothing, signal: AbortSignal.abort(new Error('gone')) })
    await expect(run).rejects.toThrow('gone')
  })

  test('propagates an error of the output’s consumer', async () => {
    const input = await writeWav(join(folder, 'short.wav'), createSine(440), { seconds: 1 })
    const run = ffmpeg.run(['-i', input, '-f', 's16le', 'pipe:1'], {
      ...nothing,
      inputs: [input],
      onOutput: () => {
        throw new Error('disk is full')
      },
    })
    await expect(run).rejects.toThrow('disk is full')
  })

  test('reports progress as an increasing share', async () => {
    const shares: number[] = []
    const input = await writeWav(join(folder, 'long.wav'), createSine(440), { seconds: 20 })
    const output = join(folder, `${ffmpeg.backend}.flac`)
    await ffmpeg.run(['-i', input, output], {
      ...nothing,
      inputs: [input],
      outputs: [output],
      durationSeconds: 20,
      onProgress: (share) => void shares.push(share),
    })
    expect(shares.at(-1)).toBeCloseTo(1, 1)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect((await readFile(output)).subarray(0, 4).toString()).toBe('fLaC')
  })

  test('does not report a missing file as damaged', async () => {
    const path = join(folder, 'missing.wav')
    const run = ffmpeg.run(['-i', path, '-f', 'null', '-'], { ...nothing, inputs: [path] })
    await expect(run).rejects.toMatchObject({ code: 'media_tool_failed' })
    await expect(stat(path)).rejects.toThrow('ENOENT')
  })
})

test('gives the WebAssembly build access only to its files', async () => {
  const ffmpeg = await createFfmpeg({ ffmpegPath: 'wasm' })
  const input = await writeWav(join(folder, 'private.wav'), createSine(440), { seconds: 1 })
  const run = ffmpeg.run(['-i', input, '-f', 'null', '-'], nothing)
  await expect(run).rejects.toMatchObject({ toolLog: /No such file/ })
})
