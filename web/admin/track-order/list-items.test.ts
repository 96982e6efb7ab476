import { expect, test } from 'vitest'
import { moveItem, numberItems, removeItem } from './list-items.ts'

const items = ['a', 'b', '-', 'c', 'd'].map((id) => ({ id, track: id === '-' ? null : id }))
const order = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('')

test('moves and removes items without changing the original array', () => {
  expect(order(moveItem(items, 0, 3))).toBe('b-cad')
  expect(order(moveItem(items, 4, 0))).toBe('dab-c')
  expect(order(removeItem(items, '-'))).toBe('abcd')
  expect(order(removeItem(items, 'unknown'))).toBe('ab-cd')
  expect(order(items)).toBe('ab-cd')
})

test('numbers the tracks of each part from 1, and numbers the parts', () => {
  expect(numberItems(items)).toEqual([1, 2, 2, 1, 2])
  expect(numberItems([])).toEqual([])
})
