// Applies changes of the owner's accent color to the root element. The server writes the initial color into the page.
import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { siteQuery } from './site.ts'

export function useOwnerColors(): void {
  const { data } = useQuery(siteQuery)
  const accent = data === undefined ? undefined : (data.accent ?? null)
  useEffect(() => {
    const root = document.documentElement
    if (accent === undefined || (root.dataset.accent ?? null) === accent) return
    // Import the code only here, because it is needed only if the color changed after the page was loaded.
    import('#contract/fields/accent.ts')
      .then(({ accentProperties, accentPropertyNames }) => {
        for (const name of accentPropertyNames) root.style.removeProperty(name)
        for (const [name, value] of accentProperties(accent)) root.style.setProperty(name, value)
        if (accent === null) delete root.dataset.accent
        else root.dataset.accent = accent
      })
      // If loading fails, the page keeps its colors until the next page load.
      .catch((error: unknown) => console.info(error))
  }, [accent])
}
