import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { TextField } from './text-field.tsx'

afterEach(cleanup)

const isMarkedEmpty = () => screen.getByLabelText('Start').matches('[data-empty]')
const field = (type: string, value: string) => (
  <TextField label="Start" type={type} value={value} onChange={() => {}} />
)

test('marks an empty date, so that it can be styled as a placeholder', () => {
  const { rerender } = render(field('date', ''))
  expect(isMarkedEmpty()).toBe(true)
  rerender(field('date', '2026-11-22'))
  expect(isMarkedEmpty()).toBe(false)
  rerender(field('text', ''))
  expect(isMarkedEmpty()).toBe(false)
})
