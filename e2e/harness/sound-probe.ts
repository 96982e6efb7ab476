// Measures in the page what a listener hears: the sound of the tab, and the delay after a click.
import type { Page } from 'playwright-core'

interface Recording {
  rate: number
  context: AudioContext
  /** The tab's sound. `at` counts samples since the first chunk, which starts at `beganAt` on the context's clock. */
  chunks: { at: number; samples: Float32Array }[]
  beganAt: number
  /** When the other audio element became active, in seconds of the recording. */
  joins: number[]
  /** Times at which tasks of the page were delayed, in seconds of the recording. */
  stalls: { at: number; seconds: number }[]
}
type RecordingWindow = Window & { recording: Recording }

/** Records this tab's sound as sent to the sound device: both audio elements mixed, after all volume settings. */
export async function recordTab(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const stream = await navigator.mediaDevices.getDisplayMedia({
      audio: { echoCancellation: false, autoGainControl: false, noiseSuppression: false },
      video: { frameRate: 1 },
      // Captures this tab. A browser flag accepts the permission prompt.
      preferCurrentTab: true,
    } as DisplayMediaStreamOptions)
    const context = new AudioContext()
    const recording: Recording = {
      rate: context.sampleRate,
      context,
      chunks: [],
      beganAt: 0,
      joins: [],
      stalls: [],
    }
    let firstAt = 0
    ;(window as unknown as RecordingWindow).recording = recording
    // Not an AudioWorklet: it needs a script from a blob URL, which the content security policy blocks.
    const recorder = context.createScriptProcessor(16_384, 1, 1)
    recorder.onaudioprocess = ({ inputBuffer, playbackTime }) => {
      if (recording.chunks.length === 0) {
        recording.beganAt = context.currentTime - inputBuffer.duration
        firstAt = playbackTime
      }
      // A busy page drops chunks. The playback time keeps the remaining ones at their position.
      const at = Math.round((playbackTime - firstAt) * recording.rate)
      recording.chunks.push({ at, samples: inputBuffer.getChannelData(0).slice() })
    }
    context.createMediaStreamSource(stream).connect(recorder)
    recorder.connect(context.destination)
    new MutationObserver((changes) => {
      const isJoin = changes.some(({ target }) => (target as HTMLElement).dataset['active'])
      if (isJoin) recording.joins.push(context.currentTime - recording.beganAt)
    }).observe(document.body, { subtree: true, attributeFilter: ['data-active'] })
    // A late timer shows that the page got no CPU.
    let lastMs = performance.now()
    setInterval(() => {
      const nowMs = performance.now()
      const seconds = (nowMs - lastMs) / 1000
      lastMs = nowMs
      const at = context.currentTime - recording.beganAt
      if (seconds > 0.02) recording.stalls.push({ at, seconds })
    }, 5)
  })
}

export interface Join {
  /** The longest silence around the switch. */
  silenceMs: number
  /** The longest time for which the page got no CPU while the next track started. 0 if under 20 ms. */
  stallMs: number
}

/** Measures the silence at each switch from one audio element to the other. */
export async function measureJoins(page: Page): Promise<Join[]> {
  return page.evaluate(() => {
    const { chunks, rate, joins, stalls } = (window as unknown as RecordingWindow).recording
    const last = chunks.at(-1)
    const sound = new Float32Array(last ? last.at + last.samples.length : 0)
    for (const { at, samples } of chunks) sound.set(samples, at)
    const loudest = sound.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
    if (loudest < 0.001) throw new Error('No sound was recorded')
    const toMs = (seconds: number) => Math.round(seconds * 10_000) / 10
    return joins.map((seconds) => {
      const begin = Math.max(0, Math.round((seconds - 0.8) * rate))
      const around = sound.slice(begin, Math.round((seconds + 0.8) * rate))
      let longest = 0
      let lastLoud = 0
      around.forEach((sample, index) => {
        // A tone also passes through zero, but its peaks are closer together than any gap is long.
        if (Math.abs(sample) < loudest * 0.05) return
        longest = Math.max(longest, index - lastLoud)
        lastLoud = index
      })
      const near = stalls.filter(({ at }) => Math.abs(at - seconds) < 0.15)
      const stall = Math.max(0, ...near.map(({ seconds: wait }) => wait))
      return { silenceMs: toMs(longest / rate), stallMs: toMs(stall) }
    })
  })
}

/** The longest silence between the first and the last sound of the recording. */
export async function measureLongestSilence(
  page: Page,
): Promise<{ silenceMs: number; recordedSeconds: number; joins: number }> {
  return page.evaluate(() => {
    const { chunks, rate, joins } = (window as unknown as RecordingWindow).recording
    let loudest = 0
    for (const { samples } of chunks) {
      for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample))
    }
    if (loudest < 0.001) throw new Error('No sound was recorded')
    let longest = 0
    let lastLoud: number | null = null
    let nextAt = 0
    for (const { at, samples } of chunks) {
      // Chunks that a busy page dropped don't count as silence.
      if (Math.abs(at - nextAt) > 128) lastLoud = null
      nextAt = at + samples.length
      samples.forEach((sample, index) => {
        if (Math.abs(sample) < loudest * 0.02) return
        if (lastLoud !== null) longest = Math.max(longest, at + index - lastLoud)
        lastLoud = at + index
      })
    }
    const recorded = chunks.reduce((sum, { samples }) => sum + samples.length, 0)
    return {
      silenceMs: Math.round((longest / rate) * 1000),
      recordedSeconds: Math.round(recorded / rate),
      joins: joins.length,
    }
  })
}

/** The pitch of the last second of the recording in hertz, from the zero crossings of a tone; 0 for silence. */
export function measurePitch(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { chunks, rate } = (window as unknown as RecordingWindow).recording
    const last = chunks.slice(-3)
    const samples = last.flatMap((chunk) => [...chunk.samples])
    const loudest = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
    if (loudest < 0.001) return 0
    let crossings = 0
    samples.forEach((sample, at) => {
      if (at > 0 && sample >= 0 !== samples[at - 1]! >= 0) crossings += 1
    })
    return Math.round((crossings / 2 / samples.length) * rate)
  })
}

/** State of the active audio element. */
export function readSoundState(
  page: Page,
): Promise<{ source: string; seconds: number; isPlaying: boolean }> {
  return page.evaluate(() => {
    const audio = document.querySelector<HTMLAudioElement>('audio[data-active]')
    return {
      source: audio?.currentSrc ?? '',
      seconds: audio?.currentTime ?? 0,
      isPlaying: audio !== null && !audio.paused,
    }
  })
}

/**
 * Presses a button and waits until another file plays. Returns the milliseconds from the click until the media clock of
 * the new file has advanced.
 * @param selector matches a single button
 */
export async function measureClickDelay(page: Page, selector: string): Promise<number> {
  return page.evaluate(async (find) => {
    const active = () => document.querySelector<HTMLAudioElement>('audio[data-active]')
    const before = active()?.currentSrc
    const button = document.querySelector<HTMLElement>(find)
    if (!button) throw new Error(`No ${find}`)
    const clickedAt = performance.now()
    button.click()
    return new Promise<number>((resolve, reject) => {
      // Poll in tasks, not in animation frames: a hidden or slow window gets frames late.
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => {
        const audio = active()
        const took = performance.now() - clickedAt
        const isHeard =
          audio && !audio.paused && audio.currentSrc !== before && audio.currentTime > 0
        if (isHeard) resolve(Math.round(took))
        else if (took > 10_000) reject(new Error('No sound was recorded'))
        else setTimeout(() => port2.postMessage(null), 1)
      })
      port1.start()
      port2.postMessage(null)
    })
  }, selector)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
