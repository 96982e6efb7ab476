// The ffmpeg arguments for the MP4 container of a rendition.

/** ffmpeg's arguments for one output; `sampleRate` in Hz is that of its sound. */
export function buildContainerArguments(sampleRate: number): string[] {
  return [
    // Puts the index first, so that a player can seek once it has the first bytes.
    '-f mp4 -movflags +faststart',
    // The edit list counts samples, not milliseconds, so players trim AAC's padding exactly.
    `-movie_timescale ${sampleRate}`,
    // Drops the source's tags, dates and versions: the same input gives the same bytes.
    '-map_metadata -1 -map_chapters -1 -fflags +bitexact',
  ].flatMap((words) => words.split(' '))
}
