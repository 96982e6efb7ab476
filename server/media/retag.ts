// Writes other words into a finished rendition. The sound itself is copied, not encoded again.
import type { Ffmpeg } from './ffmpeg.ts'
import { tagArguments, type RenditionTags } from './rendition-tags.ts'
import { workTimeoutMs } from './work-timeout.ts'

/** `input` is one of our own renditions; `output` is written anew. Throws what Ffmpeg.run throws. */
export async function retagRendition(
  ffmpeg: Ffmpeg,
  job: { input: string; output: string; tags: RenditionTags; signal?: AbortSignal },
): Promise<void> {
  const { input, output, tags, signal } = job
  const args = [
    ...['-protocol_whitelist', 'file,pipe', '-f', 'mov', '-i', input],
    ...['-map', '0:a:0', '-c', 'copy', '-f', 'mp4', '-movflags', '+faststart'],
    ...['-map_metadata', '-1', '-fflags', '+bitexact'],
    ...tagArguments(tags),
    output,
  ]
  await ffmpeg.run(args, { inputs: [input], outputs: [output], timeoutMs: workTimeoutMs(), signal })
}
