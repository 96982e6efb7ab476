// Measures what a listener would hear: the sound of the tab, and the delay after a click. Runs in the page.
import type { Page } from 'playwright-core'

interface Recording {
  rate: number
  context: AudioContext
  /**
   * The recorded sound. `at` is the position of a chunk in samples. Position 0 is `beganAt` on the clock of the
   * context.
   */
  chunks: { at: number; samples: Float32Array }[]
  beganAt: number
  /** When the player switched to its other audio element, in seconds of the recording. */
  joins: number[]
  /** When the page got no CPU time and for how long, in seconds of the recording. */
  stalls: { at: number; seconds: number }[]
}
type RecordingWindow = Window & { recording: Recording }

/** Records the sound of this tab as it is sent to the sound device: both audio elements together, at their volumes. */
export async function recordTab(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const stream = await navigator.mediaDevices.getDisplayMedia({
      audio: { echoCancellation: false, autoGainControl: false, noiseSuppression: false },
      video: { frameRate: 1 },
      // Capture this tab. A flag of the browser accepts the permission prompt.
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
    // Not an AudioWorklet: its script would have a blob URL, which the content security policy blocks.
    const recorder = context.createScriptProcessor(16_384, 1, 1)
    recorder.onaudioprocess = ({ inputBuffer, playbackTime }) => {
      if (recording.chunks.length === 0) {
        recording.beganAt = context.currentTime - inputBuffer.duration
        firstAt = playbackTime
      }
      // Chunks are lost while the page is busy. The playback time tells the position of the others.
      const at = Math.round((playbackTime - firstAt) * recording.rate)
      recording.chunks.push({ at, samples: inputBuffer.getChannelData(0).slice() })
    }
    context.createMediaStreamSource(stream).connect(recorder)
    recorder.connect(context.destination)
    new MutationObserver((changes) => {
      const isJoin = changes.some(({ target }) => (target as HTMLElement).dataset['active'])
      if (isJoin) recording.joins.push(context.currentTime - recording.beganAt)
    }).observe(document.body, { subtree: true, attributeFilter: ['data-active'] })
    // A timer that fires late shows that the page got no CPU time.
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
  /** The longest silence around the switch to the other audio element. */
  silenceMs: number
  /** The longest time without CPU while the next track started. 0 if it was below 20 ms. */
  stallMs: number
}

/** Measures the silence at each switch to the other audio element. */
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
        // Ignore quiet samples. A tone has them, too, but its peaks are closer together than the gaps that are
        // measured.
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

/** Returns the longest silence between the first and the last sound of the recording. */
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
      // A lost chunk is not silence.
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

/**
 * Returns the pitch of the last second of the recording in hertz, or 0 for silence. Counts the zero crossings of a
 * tone.
 */
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

/** Returns the state of the active audio element. */
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
 * Clicks a button that plays another file. Returns the milliseconds from the click until the media clock of that file
 * moves. @param selector matches one button
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
      // Poll with messages instead of animation frames, which are late in a hidden or slow window.
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
