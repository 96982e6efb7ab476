import '../../../testing/browser-gaps.ts'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Combobox } from './combobox.tsx'

afterEach(cleanup)

const options = ['Ambient', 'Gospel', 'Lo-fi', 'Soul'].map((label) => ({
  label,
  value: label.toLowerCase(),
}))

function Page() {
  const [value, setValue] = useState('soul')
  return (
    <>
      <Combobox label="Genre" options={options} value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  )
}

function open() {
  render(<Page />)
  return { user: userEvent.setup(), box: screen.getByRole('combobox', { name: 'Genre' }) }
}

const shown = () => screen.getAllByRole('option').map((option) => option.textContent)
const chosen = () => screen.getByRole('status').textContent

test('filters the options while the user types, and selects an option with Enter', async () => {
  const { user, box } = open()
  await user.clear(box)
  await user.type(box, 'o')
  expect(shown()).toEqual(['Gospel', 'Lo-fi', 'Soul'])
  await user.keyboard('{ArrowDown}{Enter}')
  expect(chosen()).toBe('lo-fi')
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('opens the list at the selected option, and sets aria-activedescendant to that option', async () => {
  const { user, box } = open()
  box.focus()
  await user.keyboard('{ArrowDown}')
  expect(shown()).toHaveLength(4)
  const active = document.getElementById(box.getAttribute('aria-activedescendant') ?? '')
  expect(active?.textContent).toBe('Soul')
})

test('keeps the previous selection on Escape', async () => {
  const { user, box } = open()
  await user.clear(box)
  await user.type(box, 'amb{Escape}')
  expect(chosen()).toBe('soul')
  expect(box.getAttribute('value')).toBe('Soul')
})

test('selects an option by click', async () => {
  const { user, box } = open()
  await user.click(box)
  await user.click(screen.getByRole('option', { name: 'Ambient' }))
  expect(chosen()).toBe('ambient')
})
