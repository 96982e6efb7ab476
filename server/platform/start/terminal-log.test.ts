import { expect, test } from 'vitest'
import { formatForPerson } from './terminal-log.ts'

test('prints a warning as one line with its reason and subject', () => {
  const line = JSON.stringify({
    level: 40,
    time: 1,
    pid: 2,
    hostname: 'box',
    job: 'process-track',
    ms: 12,
    err: {
      type: 'Error',
      message: 'ffmpeg failed.\nmore',
      stack: 'at x',
      toolLog: 'x'.repeat(2000),
    },
    msg: 'job failed',
  })
  expect(formatForPerson(line)).toBe('  ! job failed: ffmpeg failed. (job process-track)\n')
})

test('prints no reason without an error, and omits long values', () => {
  const line = JSON.stringify({
    level: 50,
    msg: 'the disk is full',
    folder: '/d',
    long: 'x'.repeat(500),
  })
  expect(formatForPerson(line)).toBe('  ! the disk is full (folder /d)\n')
})
