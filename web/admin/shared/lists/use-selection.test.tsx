import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSelection } from './use-selection.ts'

const page = ['a', 'b', 'c']

function choose(initial = { ids: page, total: 40, key: 'first page' }) {
  return renderHook(({ ids, total, key }) => useSelection(ids, total, key), {
    initialProps: initial,
  })
}

test('selects and deselects single rows', () => {
  const { result } = choose()
  act(() => result.current.choose('a', true))
  act(() => result.current.choose('b', true))
  act(() => result.current.choose('a', false))
  expect([...result.current.chosen]).toEqual(['b'])
  expect(result.current.count).toBe(1)
})

test('selects all matching rows, including other pages, until one row is deselected', () => {
  const { result } = choose()
  act(() => result.current.chooseAll())
  expect(result.current).toMatchObject({ isAll: true, count: 40 })
  act(() => result.current.choose('a', false))
  expect(result.current).toMatchObject({ isAll: false, count: 2 })
})

test('clears the selection when the list or the page changes', () => {
  const { result, rerender } = choose()
  act(() => result.current.chooseAll())
  rerender({ ids: page, total: 12, key: 'other filters' })
  expect(result.current).toMatchObject({ isAll: false, count: 0 })
})

test('deselects a row that is no longer in the list', () => {
  const { result, rerender } = choose()
  act(() => result.current.chooseMany(page))
  rerender({ ids: ['b', 'c'], total: 39, key: 'first page' })
  expect(result.current.count).toBe(2)
})
