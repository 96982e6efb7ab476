// Converts timed lyrics to LRC, from subtitles or from words with their start times. Each word gets its own timestamp
// (LRC A2).

interface TimedWord {
  word: string
  startSeconds: number
}

/** Converts words with start times. Null if there are none. `words` is untrusted: `[{ word, start_s, end_s }]`. */
export function convertWordsToLrc(words: unknown): string | null {
  if (!Array.isArray(words)) return null
  const timed = words.flatMap(readWord)
  if (timed.length === 0) return null
  const lines: string[] = []
  let line = ''
  for (const { word, startSeconds } of timed) {
    // A word may contain the line break before or after it, and a section mark: `[Chorus]\nSlow`.
    word.split('\n').forEach((piece, index) => {
      if (index > 0) {
        if (line) lines.push(line)
        line = ''
      }
      if (!piece.trim()) return
      if (isSectionMark(piece)) {
        if (line) lines.push(line)
        lines.push(`${formatLrcTime(startSeconds, '[]')}${piece.trim()}`)
        line = ''
        return
      }
      line ||= formatLrcTime(startSeconds, '[]')
      line += `${line.endsWith(']') ? '' : ' '}${formatLrcTime(startSeconds, '<>')}${piece.trim()}`
    })
  }
  if (line) lines.push(line)
  return lines.join('\n')
}

function readWord(value: unknown): TimedWord[] {
  if (typeof value !== 'object' || value === null) return []
  const { word, text, start_s, start } = value as Record<string, unknown>
  const spoken = typeof word === 'string' ? word : text
  const startSeconds = Number(start_s ?? start)
  const isTimed = Number.isFinite(startSeconds) && startSeconds >= 0 && startSeconds < 36_000
  return typeof spoken === 'string' && isTimed ? [{ word: spoken, startSeconds }] : []
}

function isSectionMark(text: string): boolean {
  return /^\s*\[[^\]]{1,60}\]\s*$/.test(text)
}

const srtTime = /^(\d{1,2}):(\d{2}):(\d{2})[,.](\d{1,3})\s*-->/

/** Converts subtitles. Null if the text is not in the SubRip format. */
export function convertSrtToLrc(text: string): string | null {
  const lines = text.split(/\r?\n/)
  const found: string[] = []
  let startSeconds: number | null = null
  for (const line of lines) {
    const time = srtTime.exec(line.trim())
    if (time) {
      const [, hours = 0, minutes = 0, seconds = 0, fraction = ''] = time
      startSeconds =
        Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`)
    } else if (line.trim() === '') startSeconds = null
    else if (startSeconds !== null) {
      found.push(
        `${formatLrcTime(startSeconds, '[]')}${line.replaceAll(/<[^>]{0,40}>/g, '').trim()}`,
      )
    }
  }
  return found.length > 0 ? found.join('\n') : null
}

/** Formats a time as `[01:02.50]` or `<01:02.50>`. */
export function formatLrcTime(seconds: number, brackets: '[]' | '<>'): string {
  const hundredths = Math.round(seconds * 100)
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(hundredths / 6000)
  const rest = `${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`
  return `${brackets[0]}${two(minutes)}:${rest}${brackets[1]}`
}
