// Whether the sidebar is collapsed to icons. The state is stored in a cookie for seven days. In narrow windows the
// sidebar is a drawer that covers the screen.
import { useEffect, useEffectEvent, useState } from 'react'
import { breakpoints } from '../../base/ui/theme/breakpoints.ts'

const cookieName = 'sidebar_state'
const cookieSeconds = 7 * 24 * 60 * 60
const narrow = breakpoints['--below-tablet']

export function useSidebar() {
  const [collapsed, setCollapsed] = useState(readCollapsed)
  const [drawerIsOpen, setDrawerIsOpen] = useState(false)

  function toggle() {
    if (matchMedia(narrow).matches) return setDrawerIsOpen((isOpen) => !isOpen)
    setCollapsed(!collapsed)
    writeCollapsed(!collapsed)
  }

  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey)) return
    if (event.shiftKey || event.altKey) return
    event.preventDefault()
    toggle()
  })
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    addEventListener('keydown', pressed, { signal })
    // Close the drawer when the window becomes wide, because a wide window shows the sidebar itself.
    matchMedia(narrow).addEventListener('change', () => setDrawerIsOpen(false), { signal })
    return () => listening.abort()
  }, [])

  return { collapsed, drawerIsOpen, toggle, closeDrawer: () => setDrawerIsOpen(false) }
}

function readCollapsed(): boolean {
  return document.cookie.split('; ').includes(`${cookieName}=collapsed`)
}

function writeCollapsed(collapsed: boolean): void {
  const state = collapsed ? 'collapsed' : 'expanded'
  document.cookie = `${cookieName}=${state}; path=/; max-age=${cookieSeconds}; samesite=lax`
}
