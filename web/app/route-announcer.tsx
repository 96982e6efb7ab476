// Does what a browser does on a full page load but not on client-side navigation: sets the window title, moves the
// focus to the new content, and announces the screen to screen readers.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useMatches } from 'react-router'
import { VisuallyHidden } from '../base/ui/layout/visually-hidden.tsx'
import { documentTitle, screenTitle, setScreenTitle } from '../base/session/document-title.ts'
import { isScreenHandle } from '../base/navigation/screen.ts'
import { useSite } from '../base/session/site.ts'

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
    // Keep the focus if the screen has already focused one of its elements, such as a search field.
    const main = document.getElementById(mainId)
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
    setAnnouncement(screenTitle())
  }, [pathname])

  return <VisuallyHidden role="status">{announcement}</VisuallyHidden>
}
