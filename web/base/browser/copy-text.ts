// Copies text to the clipboard, also in insecure contexts.

/** Throws if the browser refuses. */
export async function copyText(text: string): Promise<void> {
  // Only secure contexts have the clipboard API, but Velour may run without TLS on a home network.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // Elements behind a modal dialog are inert and can't be selected.
  const host = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  host.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (!copied) throw new Error('The browser refused to copy')
}
