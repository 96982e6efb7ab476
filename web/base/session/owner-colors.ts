// The owner's color on the root element. The server writes it into the page; this follows changes while the app is open.
import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { siteQuery } from './site.ts'

export function useOwnerColors(): void {
  const { data } = useQuery(siteQuery)
  const accent = data === undefined ? undefined : (data.accent ?? null)
  useEffect(() => {
    const root = document.documentElement
    if (accent === undefined || (root.dataset.accent ?? null) === accent) return
    // Loaded only for a page that was opened before the change.
    import('#contract/fields/accent.ts')
      .then(({ accentProperties, accentPropertyNames }) => {
        for (const name of accentPropertyNames) root.style.removeProperty(name)
        for (const [name, value] of accentProperties(accent)) root.style.setProperty(name, value)
        if (accent === null) delete root.dataset.accent
        else root.dataset.accent = accent
      })
      // The page keeps the earlier colors until it is opened again.
      .catch((error: unknown) => console.info(error))
  }, [accent])
}
