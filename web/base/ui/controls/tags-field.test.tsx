import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { TagsField } from './tags-field.tsx'

afterEach(cleanup)

function Page({ onSubmit = () => {} }: { onSubmit?: () => void }) {
  const [tags, setTags] = useState<string[]>(['calm'])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <TagsField label="Tags" value={tags} onChange={setTags} maxTags={4} />
      <output>{tags.join('|')}</output>
    </form>
  )
}

const tags = () => document.querySelector('output')?.textContent

test('adds tags with Enter and commas, skips duplicates and removes the last tag with Backspace', async () => {
  const user = userEvent.setup()
  render(<Page />)
  await user.type(screen.getByLabelText('Tags'), 'night{Enter}slow,Calm,')
  expect(tags()).toBe('calm|night|slow')
  await user.keyboard('{Backspace}')
  expect(tags()).toBe('calm|night')
  await user.click(screen.getByRole('button', { name: 'Remove calm' }))
  expect(tags()).toBe('night')
})

test('submits the form on Enter only when the box is empty', async () => {
  const user = userEvent.setup()
  const onSubmit = vi.fn<() => void>()
  render(<Page onSubmit={onSubmit} />)
  await user.type(screen.getByLabelText('Tags'), 'night{Enter}')
  expect(onSubmit).not.toHaveBeenCalled()
  await user.keyboard('{Enter}')
  expect(onSubmit).toHaveBeenCalledOnce()
})

test('adds no tags beyond the limit', async () => {
  const user = userEvent.setup()
  render(<Page />)
  await user.click(screen.getByLabelText('Tags'))
  await user.paste('a,b,c,d,e')
  await user.keyboard('{Enter}')
  expect(tags()).toBe('calm|a|b|c')
  expect(screen.getByLabelText('Tags')).toHaveProperty('disabled', true)
})
