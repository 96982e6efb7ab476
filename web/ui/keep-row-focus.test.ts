// Rows as they come and go by hand, without a screen around them.
import { beforeEach, afterEach, expect, test } from 'vitest'
import '../testing/browser-gaps.ts'
import { keepRowFocus } from './keep-row-focus.ts'

let stop: (() => void) | undefined
const names = () => [...document.querySelectorAll('li')].map((row) => row.id)
const row = (id: string) => document.getElementById(id)!
const control = (id: string) => row(id).querySelector<HTMLElement>('[data-control=remove]')!
const focusedRow = () => document.activeElement?.closest('li')?.id
/** Changes are seen after those who make them are done. */
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

test('the next row has it, the row before where there is no next, the heading without any', async () => {
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

test('a search field comes before the heading', async () => {
  document.querySelector('section')!.insertAdjacentHTML('beforeend', '<p role=search><input></p>')
  control('a').focus()
  document.querySelector('ul')!.replaceChildren()
  await settle()
  expect(document.activeElement?.tagName).toBe('INPUT')
})

test('rows whose control is missing or disabled are passed over', async () => {
  control('c').toggleAttribute('disabled')
  control('d').remove()
  control('b').focus()
  row('b').remove()
  await settle()
  expect(focusedRow()).toBe('a')
})

test('a row that leaves while a question is open is made good when it closes', async () => {
  const dialog = document.querySelector('dialog')!
  control('b').focus()
  dialog.showModal()
  expect(document.activeElement?.textContent).toBe('Remove')
  row('b').remove()
  await settle()
  expect(document.activeElement?.textContent).toBe('Remove')
  row('c').remove()
  await settle()
  // The browser may tell that the pressed answer lost it before it tells that the question closed.
  ;(document.activeElement as HTMLElement).blur()
  await settle()
  dialog.close()
  expect(focusedRow()).toBe('d')
})

test('a focus that has gone elsewhere stays there, and one that was given up is not taken', async () => {
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

test('a row that is only scrolled out of a window over a long list hands nothing on', async () => {
  stop?.()
  show((id) => `<li id="${id}" aria-setsize="900"><button data-control="remove">X</button></li>`)
  control('a').focus()
  row('a').remove()
  await settle()
  expect(document.activeElement).toBe(document.body)
})
