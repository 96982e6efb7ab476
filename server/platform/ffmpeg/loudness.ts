// Parses the summary that ffmpeg's ebur128 filter (EBU R128, ITU-R BS.1770) writes to the log.
import { MediaError } from './media-error.ts'

export type Loudness = {
  /** Integrated loudness in LUFS. For silence -70, the lower limit of the standard. */
  integratedLufs: number
  /** Loudness range in LU. */
  rangeLu: number
  /** Highest true peak of all channels in dBTP. For digital silence -120. */
  truePeakDbtp: number
}

const quietestPeakDbtp = -120

/** The filter that measures loudness, for the end of a filter chain. It leaves the audio unchanged. */
export const loudnessFilter = 'ebur128=peak=true:framelog=verbose'

/** Throws `media_tool_failed` if the log contains no summary. */
export function readLoudness(log: string): Loudness {
  const summary = log.slice(log.lastIndexOf('Summary:'))
  return {
    integratedLufs: Math.max(-70, readValue(summary, /I:\s+(\S+) LUFS/)),
    rangeLu: readValue(summary, /LRA:\s+(\S+) LU\b/),
    truePeakDbtp: Math.max(quietestPeakDbtp, readValue(summary, /Peak:\s+(\S+) dBFS/)),
  }
}

function readValue(summary: string, pattern: RegExp): number {
  const text = pattern.exec(summary)?.[1]
  if (text === '-inf') return -Infinity
  const value = Number(text)
  if (Number.isFinite(value)) return value
  throw new MediaError('media_tool_failed', 'ffmpeg logged no loudness.', {
    toolLog: summary,
  })
}
