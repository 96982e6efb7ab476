// The window title: what the screen is, then whose service it is.
import { useEffect } from 'react'
import { useSite } from './site.ts'

/**
 * Names the open screen after what it shows, such as a playlist. The table of routes has given it
 * its general name already (in a layout effect, so this one wins). Empty: leave that name.
 */
export function useDocumentTitle(title: string | undefined): void {
  const { brand_name } = useSite()
  useEffect(() => {
    if (title) document.title = documentTitle(title, brand_name)
  }, [title, brand_name])
}

export function documentTitle(title: string, brandName: string): string {
  return title ? `${title} · ${brandName}` : brandName
}
