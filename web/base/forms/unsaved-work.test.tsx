import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { hasUnsavedWork, useUnsavedWork, useUnsavedWorks } from '../unsaved-work/unsaved-work.ts'

afterEach(cleanup)

function Form({ id, isUnsaved }: { id: string; isUnsaved: boolean }) {
  useUnsavedWork({ key: `playlist:${id}`, what: 'this playlist', isUnsaved })
  return null
}

const keys = () => useUnsavedWorks.getState().works.map(({ key }) => key)

test('lists a form while it has unsaved changes', () => {
  const { rerender } = render(<Form id="1" isUnsaved={false} />)
  expect(hasUnsavedWork()).toBe(false)
  rerender(<Form id="1" isUnsaved />)
  expect(keys()).toEqual(['playlist:1'])
  rerender(<Form id="1" isUnsaved={false} />)
  expect(keys()).toEqual([])
})

test('removes a form on unmount, but keeps another form for the same item', () => {
  const first = render(<Form id="1" isUnsaved />)
  const second = render(<Form id="1" isUnsaved />)
  expect(keys()).toEqual(['playlist:1', 'playlist:1'])
  first.unmount()
  expect(keys()).toEqual(['playlist:1'])
  second.unmount()
  expect(hasUnsavedWork()).toBe(false)
})
