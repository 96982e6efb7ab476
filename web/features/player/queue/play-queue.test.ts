import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterNext,
  afterPrevious,
  afterTrackEnd,
  clearQueue,
  currentEntry,
  cycleRepeat,
  emptyQueue,
  enqueue,
  dropRadio,
  enqueueNext,
  enqueueRadio,
  isShuffled,
  jumpTo,
  moveEntry,
  moveEntryNext,
  removeEntry,
  startQueue,
  toggleShuffle,
  type PlayQueue,
  type RepeatMode,
} from './play-queue.ts'
import { makeTracks } from '../../../testing/track-fixture.ts'

const tracks = makeTracks(6)

function queueOf(count: number, startIndex = 0, repeat: RepeatMode = 'off'): PlayQueue {
  return startQueue(emptyQueue, makeTracks(count), { startIndex, repeat })
}

function titles(queue: PlayQueue): string {
  return queue.entries.map(({ track }) => track.title.replace('Track ', '')).join(' ')
}

function current(queue: PlayQueue | null): string | undefined {
  return queue ? currentEntry(queue)?.track.title : undefined
}

describe('starting a list', () => {
  test('starts at the first track with repeat off', () => {
    const queue = startQueue(emptyQueue, tracks)
    expect(titles(queue)).toBe('1 2 3 4 5 6')
    expect([queue.index, queue.repeat, isShuffled(queue)]).toEqual([0, 'off', false])
  })

  test('starts at the chosen track with the requested repeat mode', () => {
    const queue = startQueue(emptyQueue, tracks, { startIndex: 3, repeat: 'all' })
    expect(current(queue)).toBe('Track 4')
    expect(queue.repeat).toBe('all')
  })

  test('keeps the previous shuffle and repeat when none are given', () => {
    const before = toggleShuffle(queueOf(3, 0, 'all'))
    const queue = startQueue(before, tracks, { startIndex: 2 })
    expect(isShuffled(queue)).toBe(true)
    expect(queue.repeat).toBe('all')
  })

  test('starts with the chosen track when shuffled; all others follow', () => {
    const queue = startQueue(emptyQueue, tracks, { startIndex: 4, shuffle: true })
    expect(current(queue)).toBe('Track 5')
    expect(queue.index).toBe(0)
    expect(titles(toggleShuffle(queue))).toBe('1 2 3 4 5 6')
  })

  test('picks a random first track when shuffled without a chosen one', () => {
    const last = startQueue(emptyQueue, tracks, { shuffle: true, random: () => 0 })
    const same = startQueue(emptyQueue, tracks, { shuffle: true, random: () => 0.999 })
    expect(current(last)).not.toBe(current(same))
  })

  test('never reuses an entry id', () => {
    const first = queueOf(3)
    const second = startQueue(first, tracks)
    const ids = [...first.entries, ...second.entries].map((entry) => entry.entry_id)
    expect(new Set(ids).size).toBe(9)
  })

  test('has no current entry for an empty list', () => {
    for (const shuffle of [true, false]) {
      const queue = startQueue(queueOf(3), [], { startIndex: 2, shuffle })
      expect(queue.index).toBe(-1)
      expect(currentEntry(queue)).toBeUndefined()
    }
  })

  test('clamps a start index outside the list', () => {
    expect(queueOf(3, 9).index).toBe(2)
    expect(queueOf(3, -4).index).toBe(0)
  })
})

describe('next, previous and the end of a track', () => {
  test('moves to the next track when a track ends', () => {
    expect(current(afterTrackEnd(queueOf(3)))).toBe('Track 2')
  })

  test('stops at the end of the list with repeat off, and starts over with repeat all', () => {
    expect(afterTrackEnd(queueOf(3, 2, 'off'))).toBeNull()
    expect(current(afterTrackEnd(queueOf(3, 2, 'all')))).toBe('Track 1')
  })

  test('restarts at the track end with repeat one, but moves on with the next button', () => {
    const queue = queueOf(3, 1, 'one')
    expect(afterTrackEnd(queue)).toBe(queue)
    expect(current(afterNext(queue))).toBe('Track 3')
    expect(current(afterNext(queueOf(3, 2, 'one')))).toBe('Track 1')
  })

  test('stops at the end of the list on next with repeat off', () => {
    expect(afterNext(queueOf(3, 2, 'off'))).toBeNull()
  })

  test('wraps from the first track to the last on previous, in every repeat mode', () => {
    for (const repeat of ['off', 'all', 'one'] as const) {
      expect(current(afterPrevious(queueOf(3, 0, repeat)))).toBe('Track 3')
    }
    expect(current(afterPrevious(queueOf(3, 2)))).toBe('Track 2')
  })

  test('treats a single track as its own next and previous track', () => {
    expect(current(afterPrevious(queueOf(1)))).toBe('Track 1')
    expect(current(afterNext(queueOf(1, 0, 'all')))).toBe('Track 1')
    expect(afterNext(queueOf(1))).toBeNull()
  })

  test('returns null for an empty queue', () => {
    const empty: PlayQueue = { ...emptyQueue, repeat: 'all' }
    expect(afterNext(empty)).toBeNull()
    expect(afterPrevious(empty)).toBeNull()
    expect(afterTrackEnd({ ...empty, repeat: 'one' })).toBeNull()
  })

  test('cycles repeat off, all, one, off', () => {
    const modes = [queueOf(1)]
    for (let turn = 0; turn < 3; turn += 1) modes.push(cycleRepeat(modes.at(-1) as PlayQueue))
    expect(modes.map((queue) => queue.repeat)).toEqual(['off', 'all', 'one', 'off'])
  })

  test('jumps to an entry; an unknown entry changes nothing', () => {
    const queue = queueOf(4)
    expect(current(jumpTo(queue, queue.entries[2]?.entry_id ?? 0))).toBe('Track 3')
    expect(jumpTo(queue, 999)).toBe(queue)
  })
})

describe('shuffle', () => {
  test('keeps the current track at its position', () => {
    const queue = toggleShuffle(queueOf(6, 3))
    expect(current(queue)).toBe('Track 4')
    expect(queue.index).toBe(3)
  })

  test('restores the original order at the current track when turned off', () => {
    const shuffled = afterNext(toggleShuffle(queueOf(6, 1))) as PlayQueue
    const restored = toggleShuffle(shuffled)
    expect(titles(restored)).toBe('1 2 3 4 5 6')
    expect(current(restored)).toBe(current(shuffled))
  })

  test('goes back through the same order with previous as with next', () => {
    let queue = toggleShuffle(queueOf(6, 0, 'all'))
    const heard = [current(queue)]
    for (let step = 0; step < 8; step += 1) {
      queue = afterNext(queue) as PlayQueue
      heard.push(current(queue))
    }
    const retraced = [current(queue)]
    for (let step = 0; step < 8; step += 1) {
      queue = afterPrevious(queue) as PlayQueue
      retraced.push(current(queue))
    }
    expect(retraced).toEqual(heard.toReversed())
  })

  test('gives every order the same probability', () => {
    const counts = new Map<string, number>()
    for (let run = 0; run < 6000; run += 1) {
      const order = titles(startQueue(emptyQueue, makeTracks(3), { shuffle: true }))
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    // 1000 expected each; 150 is more than five standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  test('keeps edits that were made while shuffled when shuffle is turned off', () => {
    let queue = toggleShuffle(queueOf(4, 1))
    const third = queue.entries.find(({ track }) => track.title === 'Track 3')
    queue = removeEntry(queue, third?.entry_id ?? 0)
    queue = enqueueNext(queue, makeTracks(9).slice(8))
    queue = enqueue(queue, makeTracks(8).slice(7))
    expect(titles(toggleShuffle(queue))).toBe('1 2 9 4 8')
  })

  test('does not change the original order when an entry is moved while shuffled', () => {
    const shuffled = toggleShuffle(queueOf(5))
    const moved = moveEntry(shuffled, shuffled.entries[4]?.entry_id ?? 0, 1)
    expect(titles(toggleShuffle(moved))).toBe('1 2 3 4 5')
  })
})

describe('editing', () => {
  test('inserts play-next tracks after the current one, in order', () => {
    expect(titles(enqueueNext(queueOf(3, 1), makeTracks(8).slice(6)))).toBe('1 2 7 8 3')
  })

  test('appends added tracks', () => {
    const queue = enqueue(queueOf(3, 1), makeTracks(8).slice(6))
    expect(titles(queue)).toBe('1 2 3 7 8')
    expect(current(queue)).toBe('Track 2')
  })

  test('makes the first added track current in an empty queue', () => {
    expect(current(enqueue(emptyQueue, tracks))).toBe('Track 1')
    expect(current(enqueueNext(emptyQueue, tracks))).toBe('Track 1')
  })

  test('keeps the current track when removing one before or after it', () => {
    const queue = queueOf(4, 2)
    const before = removeEntry(queue, queue.entries[0]?.entry_id ?? 0)
    const behind = removeEntry(queue, queue.entries[3]?.entry_id ?? 0)
    expect([current(before), before.index]).toEqual(['Track 3', 1])
    expect([current(behind), behind.index]).toEqual(['Track 3', 2])
  })

  test('moves on to the following track when the current one is removed, or back at the end', () => {
    const middle = queueOf(4, 1)
    expect(current(removeEntry(middle, currentEntry(middle)?.entry_id ?? 0))).toBe('Track 3')
    const end = queueOf(4, 3)
    expect(current(removeEntry(end, currentEntry(end)?.entry_id ?? 0))).toBe('Track 3')
    const only = queueOf(1)
    expect(removeEntry(only, currentEntry(only)?.entry_id ?? 0).index).toBe(-1)
  })

  test('changes nothing when removing an unknown entry', () => {
    const queue = queueOf(2)
    expect(removeEntry(queue, 999)).toBe(queue)
  })

  test.each([
    [0, 3, '2 3 4 1 5', 'Track 3'],
    [4, 0, '5 1 2 3 4', 'Track 3'],
    [2, 0, '3 1 2 4 5', 'Track 3'],
    [2, 99, '1 2 4 5 3', 'Track 3'],
  ])('moves the entry at index %i to %i', (from, to, order, playing) => {
    const queue = queueOf(5, 2)
    const moved = moveEntry(queue, queue.entries[from]?.entry_id ?? 0, to)
    expect(titles(moved)).toBe(order)
    expect(current(moved)).toBe(playing)
  })

  test('moves an entry to play next from before and after the current one', () => {
    const queue = queueOf(5, 2)
    expect(titles(moveEntryNext(queue, queue.entries[0]?.entry_id ?? 0))).toBe('2 3 1 4 5')
    expect(titles(moveEntryNext(queue, queue.entries[4]?.entry_id ?? 0))).toBe('1 2 3 5 4')
    expect(moveEntryNext(queue, queue.entries[2]?.entry_id ?? 0)).toBe(queue)
  })

  test('keeps the current track when clearing', () => {
    const queue = clearQueue(toggleShuffle(queueOf(5, 2)))
    expect(titles(queue)).toBe('3')
    expect(titles(toggleShuffle(queue))).toBe('3')
    expect(clearQueue(emptyQueue).index).toBe(-1)
  })
})

describe('radio', () => {
  const radio = makeTracks(9).slice(6)

  test('appends marked entries, in both orders while shuffled', () => {
    const queue = enqueueRadio(toggleShuffle(queueOf(3)), radio)
    expect(queue.entries.slice(3).every((entry) => entry.by_radio)).toBe(true)
    expect(queue.entries.slice(0, 3).some((entry) => entry.by_radio)).toBe(false)
    expect(titles(toggleShuffle(queue))).toBe('1 2 3 7 8 9')
  })

  test('removes only tracks that radio added after the current entry', () => {
    const queue = enqueue(enqueueRadio(queueOf(2, 1), radio), makeTracks(5).slice(4))
    expect(titles(dropRadio(queue))).toBe('1 2 5')
    const inRadio = jumpTo(queue, queue.entries[3]?.entry_id ?? 0)
    expect(titles(dropRadio(inRadio))).toBe('1 2 7 8 5')
    const own = queueOf(3)
    expect(dropRadio(own)).toBe(own)
  })
})

describe('after any sequence of actions', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('start' as const), count: fc.nat(8), at: fc.nat(9) }),
    fc.record({
      do: fc.constantFrom('next', 'previous', 'end', 'shuffle', 'repeat', 'clear', 'drop radio'),
    }),
    fc.record({ do: fc.constantFrom('add', 'add next', 'add radio'), count: fc.nat(4) }),
    fc.record({ do: fc.constantFrom('remove', 'move next', 'jump'), at: fc.nat(12) }),
    fc.record({ do: fc.constant('move' as const), at: fc.nat(12), to: fc.nat(12) }),
  )
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

  function apply(queue: PlayQueue, action: Step): PlayQueue {
    const at = 'at' in action ? action.at : 0
    const entryId = queue.entries[at]?.entry_id ?? -1
    const added = makeTracks('count' in action ? action.count : 0)
    const acts: Record<string, () => PlayQueue | null> = {
      start: () => startQueue(queue, added, { startIndex: at }),
      next: () => afterNext(queue),
      previous: () => afterPrevious(queue),
      end: () => afterTrackEnd(queue),
      shuffle: () => toggleShuffle(queue),
      repeat: () => cycleRepeat(queue),
      clear: () => clearQueue(queue),
      add: () => enqueue(queue, added),
      'add next': () => enqueueNext(queue, added),
      'add radio': () => (queue.index < 0 ? queue : enqueueRadio(queue, added)),
      'drop radio': () => dropRadio(queue),
      remove: () => removeEntry(queue, entryId),
      'move next': () => moveEntryNext(queue, entryId),
      jump: () => jumpTo(queue, entryId),
      move: () => moveEntry(queue, entryId, 'to' in action ? action.to : 0),
    }
    return acts[action.do]?.() ?? queue
  }

  function ids(entries: PlayQueue['entries']): number[] {
    return entries.map((entry) => entry.entry_id)
  }

  test('keeps index, ids and the original order consistent', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let queue = emptyQueue
        for (const action of steps) {
          queue = apply(queue, action)
          expect(new Set(ids(queue.entries)).size).toBe(queue.entries.length)
          expect(queue.index === -1).toBe(queue.entries.length === 0)
          expect(queue.index).toBeLessThan(queue.entries.length)
          expect(Math.max(0, ...ids(queue.entries))).toBeLessThan(queue.next_entry_id)
          if (queue.original) {
            expect(new Set(ids(queue.original))).toEqual(new Set(ids(queue.entries)))
            expect(queue.original.length).toBe(queue.entries.length)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('never interrupts the current track when editing around it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), step, (steps, last) => {
        const before = steps.reduce(apply, queueOf(5, 2))
        const playing = currentEntry(before)
        fc.pre(playing !== undefined)
        fc.pre(
          ['shuffle', 'repeat', 'clear', 'add', 'add next', 'move', 'move next'].includes(last.do),
        )
        expect(currentEntry(apply(before, last))).toBe(playing)
      }),
    )
  })

  test('restores the queue after shuffling twice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(59), (count, start) => {
        const queue = queueOf(count, start)
        expect(toggleShuffle(toggleShuffle(queue))).toEqual(queue)
      }),
    )
  })
})

test('shuffles, removes, moves and unshuffles 20,000 entries', () => {
  const many = makeTracks(20_000)
  let queue = startQueue(emptyQueue, many, { startIndex: 10_000 })
  queue = toggleShuffle(queue)
  queue = enqueueNext(queue, many)
  queue = removeEntry(queue, queue.entries[39_000]?.entry_id ?? 0)
  queue = moveEntry(queue, queue.entries[38_000]?.entry_id ?? 0, 3)
  queue = afterNext(queue) as PlayQueue
  queue = toggleShuffle(queue)
  expect(queue.entries.length).toBe(39_999)
})
