// Prints warnings at a terminal as one plain line each instead of JSON.
import * as z from 'zod/mini'

const entry = z.looseObject({
  msg: z.optional(z.string()),
  err: z.optional(z.looseObject({ message: z.optional(z.string()) })),
})

const leftOut = new Set([
  'level',
  'time',
  'pid',
  'hostname',
  'msg',
  'err',
  'reqId',
  'toolLog',
  'ms',
])
const maxValueLength = 120

/** Example: ` ! job failed: ffmpeg could not finish its work. (job process-track)` */
export function formatForPerson(line: string): string {
  const { msg = '', err, ...rest } = z.parse(entry, JSON.parse(line))
  const reason = err?.message?.split('\n')[0] ?? ''
  const facts = Object.entries(rest).flatMap(([name, value]) => {
    const isShort =
      ['string', 'number'].includes(typeof value) && String(value).length <= maxValueLength
    return isShort && !leftOut.has(name) ? [`${name} ${String(value)}`] : []
  })
  const text = [msg, reason].filter(Boolean).join(': ')
  return `  ! ${text}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}\n`
}
