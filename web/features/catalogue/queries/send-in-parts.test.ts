import { expect, test } from 'vitest'
import { computeTrackChanges } from '#contract/fields/track-changes-between.ts'
import { sendInParts } from './send-in-parts.ts'

test('splits track changes into several requests, and sends the other fields with the first', async () => {
  const before = Array.from({ length: 5000 }, (_, index) => `${index}`)
  const track_changes = computeTrackChanges(before, [])
  const sent: object[] = []
  await sendInParts({ title: 'Mix', track_changes }, async (part) => sent.push(part))
  expect(sent).toEqual([
    { title: 'Mix', track_changes: track_changes.slice(0, 2000) },
    { track_changes: track_changes.slice(2000, 4000) },
    { track_changes: track_changes.slice(4000) },
  ])
})
