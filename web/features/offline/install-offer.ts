// The browser's install prompt for the app, held until the user accepts it on the profile screen.
import { create } from 'zustand'

/** An event of Chromium only. Other browsers offer installation in their own menu. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

export const useInstallOffer = create<{ offer: InstallPromptEvent | null }>(() => ({ offer: null }))

/** Keeps the install event. Call before the page has loaded, because the event fires only once. */
export function catchInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // Suppresses the browser's own banner.
    event.preventDefault()
    useInstallOffer.setState({ offer: event as InstallPromptEvent })
  })
  addEventListener('appinstalled', () => useInstallOffer.setState({ offer: null }))
}

/** Shows the browser's install prompt. An install event can be used only once. */
export async function takeInstallOffer(): Promise<void> {
  const { offer } = useInstallOffer.getState()
  useInstallOffer.setState({ offer: null })
  await offer?.prompt()
}
