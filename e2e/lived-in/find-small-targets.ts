// Finds controls whose touch target is too small. Measures the area that reacts to a touch, including pseudo-elements
// and labels.
import type { Page } from 'playwright-core'

const minPx = 44

/** Returns one line for each kind of control that is too small. Links within a text are exempt (WCAG 2.5.8). */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const selector =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=option], [role=slider], [role=switch]'
    const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
    const small = new Map<string, string>()
    const seen = new Map<string, number>()
    for (const control of root.querySelectorAll<HTMLElement>(selector)) {
      if (!isShown(control) || isInText(control)) continue
      const box = control.getBoundingClientRect()
      if (box.width >= least && box.height >= least) continue
      const kind = `${control.tagName}.${control.className} ${Math.round(box.width)}×${Math.round(box.height)}`
      const count = (seen.get(kind) ?? 0) + 1
      seen.set(kind, count)
      // Measure only three controls of a kind. In a long list, only the first and the last can differ from the others.
      if (count > 3 || small.has(kind)) continue
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const area = hitArea(control)
      if (area && (area.width < least - 0.5 || area.height < least - 0.5)) {
        small.set(kind, `${area.width}×${area.height} px: ${nameOf(control)}`)
      }
    }
    scrollTo(0, 0)
    return [...small.values()]

    function isShown(control: HTMLElement): boolean {
      if (!control.checkVisibility({ visibilityProperty: true })) return false
      if (control.closest('[inert]') || getComputedStyle(control).pointerEvents === 'none')
        return false
      const { width, height } = control.getBoundingClientRect()
      // A visually hidden control is used through its label, or becomes visible on focus.
      return width > 1 && height > 1
    }

    function isInText(control: HTMLElement): boolean {
      if (control.tagName !== 'A' || getComputedStyle(control).display !== 'inline') return false
      const around = control.parentElement?.textContent?.trim() ?? ''
      return around.length > (control.textContent?.trim() ?? '').length
    }

    function hitArea(control: HTMLElement) {
      const box = control.getBoundingClientRect()
      const x = box.left + box.width / 2
      const y = box.top + box.height / 2
      // Another element, for example the player, covers the center of the control.
      if (!reaches(control, x, y)) return null
      const extent = (stepX: number, stepY: number) => {
        let far = 0
        while (far < least && reaches(control, x + stepX * (far + 1), y + stepY * (far + 1))) far++
        return far
      }
      return { width: extent(-1, 0) + extent(1, 0) + 1, height: extent(0, -1) + extent(0, 1) + 1 }
    }

    function reaches(control: HTMLElement, x: number, y: number): boolean {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && (control.contains(hit) || hit.closest('label')?.control === control)
    }

    function nameOf(control: HTMLElement): string {
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''
      const label = (control as HTMLInputElement).labels?.[0]?.textContent?.trim()
      return `${control.tagName.toLowerCase()} “${(name || label || '').slice(0, 60)}” (${control.className})`
    }
  }, minPx)
}
