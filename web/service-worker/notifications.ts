// Shows the notifications that the server sends through the push service of the browser, and opens what they are about.
import type { PushMessage } from '#contract/push.ts'

declare const self: ServiceWorkerGlobalScope

export function handleNotifications(): void {
  self.addEventListener('push', (event) => event.waitUntil(showMessage(event.data)))
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    const { path } = (event.notification.data ?? {}) as { path?: string }
    // A window of its own: music may be playing in those that are open.
    event.waitUntil(self.clients.openWindow(ownAddress(path)))
  })
}

async function showMessage(data: PushMessageData | null): Promise<void> {
  const message = data?.json() as PushMessage | undefined
  if (!message) return
  const { title, body, path, tag, icon } = message
  await self.registration.showNotification(title, {
    body,
    tag,
    data: { path },
    icon: icon ?? '/icons/icon-192.png',
  })
}

/** Only this site is opened. */
function ownAddress(path = '/'): string {
  const { origin } = self.location
  return /^\/(?![/\\])/.test(path) ? origin + path : origin
}
