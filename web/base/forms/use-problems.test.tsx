import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { TextField } from '../ui/controls/text-field.tsx'
import { useProblems } from './use-problems.ts'

function Form({ found }: { found: { first?: string; second?: string } }) {
  const { form, problems, showProblems } = useProblems<typeof found>()
  return (
    <form ref={form} noValidate>
      <TextField label="First" error={problems.first} />
      <TextField label="Second" error={problems.second} />
      <button type="button" onClick={() => showProblems(found)}>
        Save
      </button>
    </form>
  )
}

const save = () => screen.getByRole('button', { name: 'Save' })

afterEach(cleanup)

test('focuses the first invalid field, in the order of the page', async () => {
  const user = userEvent.setup()
  const both = { second: 'Second is required', first: 'First is required' }
  const { rerender } = render(<Form found={both} />)
  await user.click(save())
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'First' }))
  expect(screen.getByText('Second is required')).toBeDefined()

  rerender(<Form found={{ second: 'Second is required' }} />)
  await user.click(save())
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Second' }))
  expect(screen.queryByText('First is required')).toBeNull()
})

test('does not move the focus when every field is valid', async () => {
  const user = userEvent.setup()
  const { rerender } = render(<Form found={{ first: 'First is required' }} />)
  await user.click(save())
  rerender(<Form found={{}} />)
  await user.click(save())
  expect(document.activeElement).toBe(save())
  expect(screen.queryByText('First is required')).toBeNull()
})
