// Reads the lines of an untrusted text in constant memory.
import { StringDecoder } from 'node:string_decoder'
import type { Readable } from 'node:stream'
import { ImportError } from './archive-error.ts'

/** Far longer than the line of a track with lyrics, credits and notes. */
const maxLineLength = 2_000_000

/** Skips empty lines. Throws an ImportError if a line is too long. */
export async function* readLines(body: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.write(chunk as Buffer)
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim()) yield line
    if (rest.length > maxLineLength) throw new ImportError('A line of the export is too long.')
  }
  rest += decoder.end()
  if (rest.trim()) yield rest
}
