// The ffmpeg arguments for the MP4 container of a rendition.

/** Returns arguments for one output file, whose audio has a sample rate of `sampleRate` Hz. */
export function buildContainerArguments(sampleRate: number): string[] {
  return [
    // Writes the index at the beginning, so that a player can seek after it has loaded the first bytes.
    '-f mp4 -movflags +faststart',
    // With this timescale, the edit list counts samples instead of milliseconds, so that players trim AAC's padding
    // exactly.
    `-movie_timescale ${sampleRate}`,
    // Omits the source's tags, dates and versions, so that the same input gives the same bytes.
    '-map_metadata -1 -map_chapters -1 -fflags +bitexact',
  ].flatMap((words) => words.split(' '))
}
