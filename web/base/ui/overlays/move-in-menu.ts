// Moves the focus in a menu, following the ARIA menu pattern.

/** Accepts a key or `first`. Returns whether the key moves the focus. */
export function moveInMenu(menu: HTMLElement, key: string): boolean {
  const items = [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const current = items.indexOf(document.activeElement as HTMLElement)
  const target = targetIndex(items, current, key)
  if (target === undefined) return false
  const item = items.at(target) ?? menu
  item.focus()
  return true
}

function targetIndex(items: HTMLElement[], current: number, key: string): number | undefined {
  if (key === 'first' || key === 'Home') return 0
  if (key === 'End') return -1
  if (key === 'ArrowDown') return current + 1 === items.length ? 0 : current + 1
  if (key === 'ArrowUp') return current <= 0 ? -1 : current - 1
  if (key.length !== 1 || key === ' ') return undefined
  const after = items.findIndex((item, index) => index > current && startsWith(item, key))
  const found = after === -1 ? items.findIndex((item) => startsWith(item, key)) : after
  return found === -1 ? undefined : found
}

function startsWith(item: HTMLElement, letter: string): boolean {
  return item.textContent.trim().toLowerCase().startsWith(letter.toLowerCase())
}
