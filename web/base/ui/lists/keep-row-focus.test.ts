// Adds and removes rows directly in the DOM, without a screen around them.
import { beforeEach, afterEach, expect, test } from 'vitest'
import '../../../testing/browser-gaps.ts'
import { keepRowFocus } from './keep-row-focus.ts'

let stop: (() => void) | undefined
const names = () => [...document.querySelectorAll('li')].map((row) => row.id)
const row = (id: string) => document.getElementById(id)!
const control = (id: string) => row(id).querySelector<HTMLElement>('[data-control=remove]')!
const focusedRow = () => document.activeElement?.closest('li')?.id
/** Waits for mutation observers, which run after the code that made the change. */
const settle = () => new Promise((resolve) => setTimeout(resolve))

function show(html: (id: string) => string): void {
  document.body.innerHTML = `
    <section>
      <h2>Tracks</h2>
      <ul>${['a', 'b', 'c', 'd'].map(html).join('')}</ul>
    </section>
    <dialog><button>Remove</button></dialog>
    <button id="elsewhere">Elsewhere</button>`
  stop = keepRowFocus(document.querySelector('section')!)
}

beforeEach(() =>
  show((id) => `<li id="${id}"><button>Move</button><button data-control="remove">X</button></li>`),
)
afterEach(() => stop?.())

test('moves the focus to the next row, otherwise to the previous row, otherwise to the heading', async () => {
  control('b').focus()
  row('b').remove()
  await settle()
  expect(document.activeElement).toBe(control('c'))
  row('c').remove()
  row('d').remove()
  await settle()
  expect(document.activeElement).toBe(control('a'))
  document.querySelector('ul')!.remove()
  await settle()
  expect(document.activeElement?.textContent).toBe('Tracks')
})

test('prefers a search field to the heading', async () => {
  document.querySelector('section')!.insertAdjacentHTML('beforeend', '<p role=search><input></p>')
  control('a').focus()
  document.querySelector('ul')!.replaceChildren()
  await settle()
  expect(document.activeElement?.tagName).toBe('INPUT')
})

test('skips rows whose control is missing or disabled', async () => {
  control('c').toggleAttribute('disabled')
  control('d').remove()
  control('b').focus()
  row('b').remove()
  await settle()
  expect(focusedRow()).toBe('a')
})

test('restores the focus after a dialog closes when its row was removed meanwhile', async () => {
  const dialog = document.querySelector('dialog')!
  control('b').focus()
  dialog.showModal()
  expect(document.activeElement?.textContent).toBe('Remove')
  row('b').remove()
  await settle()
  expect(document.activeElement?.textContent).toBe('Remove')
  row('c').remove()
  await settle()
  // The browser may blur the pressed button before it fires `close`.
  ;(document.activeElement as HTMLElement).blur()
  await settle()
  dialog.close()
  expect(focusedRow()).toBe('d')
})

test('does not take the focus from another element or after a blur', async () => {
  control('b').focus()
  document.getElementById('elsewhere')!.focus()
  row('b').remove()
  await settle()
  expect(document.activeElement?.id).toBe('elsewhere')
  control('c').focus()
  control('c').blur()
  await settle()
  row('c').remove()
  await settle()
  expect(document.activeElement).toBe(document.body)
  expect(names()).toEqual(['a', 'd'])
})

test('does not move the focus when a row is only scrolled out of a virtual list', async () => {
  stop?.()
  show((id) => `<li id="${id}" aria-setsize="900"><button data-control="remove">X</button></li>`)
  control('a').focus()
  row('a').remove()
  await settle()
  expect(document.activeElement).toBe(document.body)
})
