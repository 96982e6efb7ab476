// The browser's offer to install the app, kept until somebody takes it on the profile.
import { create } from 'zustand'

/** Chromium's; other browsers have an entry in their own menu. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

export const useInstallOffer = create<{ offer: InstallPromptEvent | null }>(() => ({ offer: null }))

/** Call it before the page has loaded: the offer is made once. */
export function catchInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // No banner of the browser's over the music.
    event.preventDefault()
    useInstallOffer.setState({ offer: event as InstallPromptEvent })
  })
  addEventListener('appinstalled', () => useInstallOffer.setState({ offer: null }))
}

/** An offer is good for one answer. */
export async function takeInstallOffer(): Promise<void> {
  const { offer } = useInstallOffer.getState()
  useInstallOffer.setState({ offer: null })
  await offer?.prompt()
}
