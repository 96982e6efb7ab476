// The switch for notifications in this browser.
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../base/format/format-duration.ts'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { pushSubscriptionsQuery, useNotifyThisBrowser } from './news-queries.ts'
import { getPushSupport, type PushSupport } from './this-browser.ts'

const hints: Record<PushSupport, string> = {
  ready:
    'A notification for each release, even while the app is closed. Notifications stop when you sign out.',
  needs_home_screen:
    'On iPhone and iPad: first add this app to your Home Screen and open it from there.',
  blocked: 'Notifications from this site are blocked in your browser settings.',
  none: 'This browser cannot show notifications.',
}

export function PushSetting() {
  const browsers = useQuery(pushSubscriptionsQuery)
  const change = useNotifyThisBrowser()
  const support = getPushSupport()
  const current = browsers.data?.find(({ is_current }) => is_current)
  const others = (browsers.data?.length ?? 0) - (current ? 1 : 0)
  const isOn = change.isPending ? change.variables.id === undefined : current !== undefined
  return (
    <Switch
      label="Notifications in this browser"
      hint={
        <>
          {hints[support]}
          {others > 0 &&
            ` ${formatCount(others, 'other browser is', 'other browsers are')} notified.`}
        </>
      }
      checked={isOn}
      disabled={
        (support !== 'ready' && current === undefined) || browsers.isPending || change.isPending
      }
      onChange={() => change.mutate({ id: current?.id })}
    />
  )
}
