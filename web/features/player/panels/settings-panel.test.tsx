import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { initialPlayerState, usePlayer } from '../playback/player-store.ts'
import { SettingsPanel } from './settings-panel.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  usePlayer.setState(initialPlayerState, true)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const pressed = () =>
  screen
    .getAllByRole('button', { pressed: true })
    .map((button) => button.textContent)
    .filter((text) => text !== '1×')

test('shows the full time immediately when the sleep timer is set long after the panel was opened', () => {
  render(<SettingsPanel />)
  vi.advanceTimersByTime(25_000)
  fireEvent.click(screen.getByRole('button', { name: '5 min' }))
  expect(screen.queryByText('5:00 left')).not.toBeNull()
})

test('highlights the chosen minutes until the timer is turned off', () => {
  render(<SettingsPanel />)
  expect(pressed()).toEqual(['Off'])
  fireEvent.click(screen.getByRole('button', { name: '15 min' }))
  expect(pressed()).toEqual(['15 min'])
  fireEvent.click(screen.getByRole('button', { name: 'Off' }))
  expect(pressed()).toEqual(['Off'])
})
