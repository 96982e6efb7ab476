// Puts text on the clipboard, on pages without a safe origin too.

/** Throws when the browser refuses. */
export async function copyText(text: string): Promise<void> {
  // Only pages with a safe origin have the clipboard; an owner may run without TLS at home.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // What lies behind a modal dialog cannot be selected.
  const host = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  host.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (!copied) throw new Error('The browser refused to copy')
}
