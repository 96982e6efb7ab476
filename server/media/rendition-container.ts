// The MP4 file around a rendition's sound.

/** ffmpeg's arguments for one output; `sampleRate` in Hz is that of its sound. */
export function containerArguments(sampleRate: number): string[] {
  return [
    // The index goes in front, so that a player can seek once it has the first bytes.
    '-f mp4 -movflags +faststart',
    // The edit list then counts samples, not milliseconds, so players trim AAC's padding exactly.
    `-movie_timescale ${sampleRate}`,
    // No tags of the source, no dates and versions: the same input makes the same bytes.
    '-map_metadata -1 -map_chapters -1 -fflags +bitexact',
  ].flatMap((words) => words.split(' '))
}
