// Shows push notifications from the server, and opens the pages that they link to.
import type { PushMessage } from '#contract/push.ts'

declare const self: ServiceWorkerGlobalScope

export function handleNotifications(): void {
  self.addEventListener('push', (event) => event.waitUntil(showMessage(event.data)))
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    const { path } = (event.notification.data ?? {}) as { path?: string }
    // Open a new window: existing ones may be playing music.
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

/** Returns the URL for a path of this site. Any other target becomes the start page. */
function ownAddress(path = '/'): string {
  const { origin } = self.location
  return /^\/(?![/\\])/.test(path) ? origin + path : origin
}
