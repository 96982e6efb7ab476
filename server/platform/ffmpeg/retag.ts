// Writes new tags into an existing rendition. The audio is copied without encoding it again.
import { buildInputArguments } from './decode-arguments.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { probeAudio } from './probe.ts'
import { buildContainerArguments } from './rendition-container.ts'
import { buildTagArguments, type RenditionTags } from './rendition-tags.ts'
import { computeWorkTimeoutMs } from './work-timeout.ts'

/**
 * `input` is a rendition made by this server, `output` the path of a new file. Throws the errors of probeAudio and
 * Ffmpeg.run.
 */
export async function rewriteRenditionTags(
  ffmpeg: Ffmpeg,
  job: { input: string; output: string; tags: RenditionTags; signal?: AbortSignal },
): Promise<void> {
  const { input, output, tags, signal } = job
  const source = { ...(await probeAudio(input)), path: input }
  const args = [
    ...buildInputArguments(source),
    '-map',
    '0:a:0',
    '-c',
    'copy',
    ...buildContainerArguments(source.sampleRate),
    ...buildTagArguments(tags),
    output,
  ]
  await ffmpeg.run(args, {
    inputs: [input],
    outputs: [output],
    timeoutMs: computeWorkTimeoutMs(),
    signal,
  })
}
