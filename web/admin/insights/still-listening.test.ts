import { expect, test } from 'vitest'
import { stillListening } from './still-listening.ts'

test('everybody begins, each part loses those who left in it, the end keeps the rest', () => {
  expect(stillListening([1, 0, 1, 2])).toEqual([1, 0.75, 0.75, 0.5])
})

test('a track that nobody began has an empty curve', () => {
  expect(stillListening([0, 0, 0])).toEqual([0, 0, 0])
})
