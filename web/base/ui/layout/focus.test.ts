import '../../../testing/browser-gaps.ts'
import { beforeEach, expect, test } from 'vitest'
import { takeFocus, isFocusLost, returnFocus } from './focus.ts'

const element = (id: string) => document.getElementById(id)!
const focused = () => document.activeElement?.id

beforeEach(() => {
  document.body.innerHTML = `
    <button id="opener">Queue</button><button id="other">Other</button>
    <aside id="panel" tabindex="-1"><button id="inside">Close</button></aside>
    <dialog id="dialog"><button id="confirm">Remove</button></dialog>`
})

test('gives the focus to a layer, and returns it when the layer closes', () => {
  element('opener').focus()
  const returnFocusFromLayer = takeFocus(element('panel'))
  expect(focused()).toBe('panel')
  element('inside').focus()
  returnFocusFromLayer()
  expect(focused()).toBe('opener')
})

test('keeps the focus where the user has moved it when a layer closes', () => {
  element('opener').focus()
  const returnFocusFromLayer = takeFocus(element('panel'))
  element('other').focus()
  returnFocusFromLayer()
  expect(focused()).toBe('other')
})

test('returns no focus to an element that was removed', () => {
  const opener = element('opener')
  opener.remove()
  element('other').focus()
  returnFocus(opener)
  returnFocus(null)
  expect(focused()).toBe('other')
})

test('reports the focus as lost on <body> and in a closed dialog', () => {
  expect(isFocusLost()).toBe(true)
  element('dialog').setAttribute('open', '')
  element('confirm').focus()
  expect(isFocusLost()).toBe(false)
  element('dialog').removeAttribute('open')
  expect(isFocusLost()).toBe(true)
})
