// What a full page load would do and a change of screen inside the app does not: name the window, move
// the focus to the new content, and tell a screen reader where it is.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useMatches } from 'react-router'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { documentTitle, screenTitle, setScreenTitle } from './document-title.ts'
import { isScreenHandle } from './screen.ts'
import { useSite } from './site.ts'

export const mainId = 'main'

export function RouteAnnouncer() {
  const { pathname } = useLocation()
  const { brand_name, tagline } = useSite()
  const titles = useMatches().map(({ handle }) => (isScreenHandle(handle) ? handle.title : ''))
  const title = titles.findLast(Boolean) ?? ''
  const [announcement, setAnnouncement] = useState('')
  const shownPathname = useRef(pathname)

  useLayoutEffect(() => {
    setScreenTitle(title ? documentTitle(title, brand_name) : `${brand_name} · ${tagline}`)
  }, [pathname, title, brand_name, tagline])

  useEffect(() => {
    if (shownPathname.current === pathname) return
    shownPathname.current = pathname
    // A screen that put the focus somewhere itself, a search field say, knows better.
    const main = document.getElementById(mainId)
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    setAnnouncement(screenTitle())
  }, [pathname])

  return <VisuallyHidden role="status">{announcement}</VisuallyHidden>
}
