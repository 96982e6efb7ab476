// The member's current plan, above the available plans.
import { IconCrown, IconMusic } from '#web/base/ui/icons/icons.ts'
import type { Profile } from '#contract/profiles.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { useSite } from '../../base/session/site.ts'
import styles from './member-plan.module.css'

export function MemberPlan({ profile }: { profile: Profile }) {
  const { preview_length_seconds } = useSite()
  const { is_premium } = profile
  return (
    <p className={styles.plan} data-premium={is_premium || undefined}>
      {is_premium ? <IconCrown aria-hidden="true" /> : <IconMusic aria-hidden="true" />}
      <span>
        {is_premium ? (
          <>
            <strong>You have Premium.</strong> You can hear everything in full.{' '}
            <ScreenLink to="/browse">Start listening</ScreenLink>
          </>
        ) : (
          <>
            <strong>You are on the Free plan.</strong> You can hear previews of{' '}
            {preview_length_seconds} seconds and have 1 playlist of up to 10 tracks.
          </>
        )}
      </span>
    </p>
  )
}
