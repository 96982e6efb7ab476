import { expect, test } from 'vitest'
import { limitConcurrency } from './limit-concurrency.ts'

test('runs at most the given number concurrently, in order, and a failure frees its slot', async () => {
  const inTurn = limitConcurrency(2)
  const order: number[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const works = Array.from({ length: 5 }, (_, i) =>
    inTurn(() => {
      order.push(i)
      const end = Promise.withResolvers<void>()
      ends.push(end)
      return end.promise
    }),
  )
  expect(order).toEqual([0, 1])
  ends[1]!.reject(new Error('broken'))
  await expect(works[1]).rejects.toThrow('broken')
  expect(order).toEqual([0, 1, 2])
  ends[0]!.resolve()
  await works[0]
  ends[2]!.resolve()
  await works[2]
  expect(order).toEqual([0, 1, 2, 3, 4])
  ends[3]!.resolve()
  ends[4]!.resolve()
  await Promise.all([works[3], works[4]])
})
