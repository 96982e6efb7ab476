import { expect, test } from 'vitest'
import { publishEach } from './publish-each.ts'

const ids = ['a', 'b', 'c', 'd'].map((id) => ({ id }))

test('publishes the remaining items when one fails, and throws the first error at the end', async () => {
  const done: string[] = []
  const publish = async (id: string) => {
    if (id === 'b' || id === 'c') throw new Error(id)
    done.push(id)
    return true
  }
  await expect(publishEach(ids, publish)).rejects.toThrow('b')
  expect(done).toEqual(['a', 'd'])
})

test('returns the number of items that this call published itself', async () => {
  expect(await publishEach(ids, async (id) => id !== 'c')).toBe(3)
  expect(await publishEach([], () => Promise.reject(new Error('not called')))).toBe(0)
})
