// Renders a video of a still picture and a track's preview, for messengers that play videos but no audio files.
import type { Ffmpeg } from './ffmpeg.ts'
import { computeWorkTimeoutMs } from './work-timeout.ts'

export const filmSeconds = 30

/**
 * Renders H.264 and AAC in MP4. `picture` is a JPEG made by this server, whose sides are even numbers. `preview` is a
 * rendition made by this server. Throws the errors of Ffmpeg.run, also if ffmpeg has no H.264 encoder.
 */
export async function renderCardFilm(
  ffmpeg: Ffmpeg,
  job: {
    picture: string
    preview: string
    previewSeconds: number
    output: string
    signal: AbortSignal
  },
): Promise<void> {
  const { picture, preview, output, signal } = job
  const seconds = Math.min(filmSeconds, job.previewSeconds)
  const fade = Math.min(1.5, seconds / 2)
  const args = [
    ['-protocol_whitelist', 'file,pipe'],
    // A still picture needs few frames, but some players refuse fewer than about five per second.
    ['-f', 'image2', '-loop', '1', '-framerate', '5', '-i', picture],
    ['-protocol_whitelist', 'file,pipe', '-f', 'mov', '-i', preview],
    ['-map', '0:v:0', '-map', '1:a:0', '-t', String(seconds)],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'stillimage', '-crf', '24'],
    ['-pix_fmt', 'yuv420p', '-g', '50'],
    ['-af', `afade=t=out:st=${(seconds - fade).toFixed(2)}:d=${fade.toFixed(2)}`],
    ['-c:a', 'aac', '-b:a', '128k'],
    ['-map_metadata', '-1', '-fflags', '+bitexact', '-f', 'mp4', '-movflags', '+faststart', output],
  ]
  await ffmpeg.run(args.flat(), {
    inputs: [picture, preview],
    outputs: [output],
    timeoutMs: computeWorkTimeoutMs(seconds),
    signal,
  })
}
