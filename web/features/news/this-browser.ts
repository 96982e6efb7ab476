// Manages push notifications in this browser (Push API). Requests the permission only after a click.
import { createPushSubscription, deletePushSubscription, getPushKey } from '#contract/push.ts'
import { ApiError, call } from '../../base/api/api.ts'

export type PushSupport = 'ready' | 'needs_home_screen' | 'blocked' | 'none'

/**
 * Returns whether this browser supports notifications. iPhone and iPad support them only for apps on the Home Screen.
 */
export function getPushSupport(): PushSupport {
  const has = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (has) return Notification.permission === 'denied' ? 'blocked' : 'ready'
  return /iPhone|iPad/.test(navigator.userAgent) ? 'needs_home_screen' : 'none'
}

/** The message is shown to the user unchanged. */
export class NotifyError extends Error {}

export async function notifyThisBrowser(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new NotifyError('Your browser does not allow notifications from this site.')
  }
  const registration = await navigator.serviceWorker.getRegistration()
  if (!registration) {
    throw new NotifyError(
      'The app is not installed in this browser yet. Reload the page and try again.',
    )
  }
  const { public_key } = await call(getPushKey, {})
  const { pushManager } = registration
  const before = await pushManager.getSubscription()
  // End an existing subscription that was created with another key: it can't be used.
  if (before && encode(before.options.applicationServerKey) !== public_key)
    await before.unsubscribe()
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: public_key })
    .catch((cause: unknown) => {
      throw new NotifyError(
        'Your browser could not reach its notification service. Please try again later.',
        {
          cause,
        },
      )
    })
  const { endpoint, keys = {} } = subscription.toJSON()
  await call(createPushSubscription, {
    body: {
      endpoint: endpoint ?? subscription.endpoint,
      keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' },
    },
  })
}

export async function stopNotifyingThisBrowser(id: string): Promise<void> {
  try {
    await call(deletePushSubscription, { params: { id } })
  } catch (error) {
    // Ignore `not_found`: the server has already deleted the subscription.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  }
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

function encode(key: ArrayBuffer | null): string {
  const text = String.fromCodePoint(...new Uint8Array(key ?? new ArrayBuffer()))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
